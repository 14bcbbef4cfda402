// GET /v1/errors.json: all codes, for programs.
#include <cppunit/extensions/HelperMacros.h>

#include "../../support/answer_check.h"
#include "../../support/http.h"
#include "../../support/stack.h"
#include "base/codes/codes.h"
#include "data/json/reader.h"

namespace data_import::tests {

class ErrorsJsonTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(ErrorsJsonTest);
    CPPUNIT_TEST(lists_the_table_without_a_token);
    CPPUNIT_TEST_SUITE_END();

public:
    void lists_the_table_without_a_token() {
        HttpConnection connection(Stack::shared().port(), Stack::shared().value("CA_FILE"));
        const Answer answer = connection.ask({"GET", "/v1/errors.json", {{"Host", "localhost"}}, ""});
        CPPUNIT_ASSERT_EQUAL_MESSAGE(shown(answer), 200, answer.status);
        check_any_answer(answer);
        const json::Document document = json::read(answer.body);
        std::size_t found = 0;
        for (const json::Value row : document.root().at("codes").items()) {
            const codes::CodeRow* expected = codes::find(row.at("code").text());
            CPPUNIT_ASSERT(expected != nullptr);
            CPPUNIT_ASSERT_EQUAL(expected->is_of_item(), row.at("status").is(json::Type::null));
            CPPUNIT_ASSERT(expected->meaning == row.at("meaning").text());
            CPPUNIT_ASSERT(expected->action == row.at("action").text());
            ++found;
        }
        CPPUNIT_ASSERT_EQUAL(codes::all().size(), found);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(ErrorsJsonTest);

}  // namespace data_import::tests
