// Long bodies that are refused before they are read, from clients that read nothing until they have sent
// everything. The clients get the answer, and their connection is not reset before.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <vector>

#include "../../support/answer_check.h"
#include "../../support/json_match.h"
#include "../../support/world.h"
#include "../../table.h"

namespace data_import::tests {

namespace {

struct Row {
    std::string name;
    std::string path;
    std::string content_type;
    std::string authorization;  ///< header Authorization; empty: none; GOOD stands for a valid token
    int status;
    std::string code;
};

const std::string notes = "/v1/data-import/notes/create/";
const std::string json = "application/json";

const std::vector<Row> rows = {
    {"no token", notes, json, "", 401, "not_authenticated"},
    {"a wrong token", notes, json, "Token a.b.c", 401, "authentication_failed"},
    {"another type", notes, "text/plain", "GOOD", 415, "unsupported_media_type"},
    {"another type and no token", notes, "text/plain", "", 415, "unsupported_media_type"},
    {"a wrong token for a bulk request", "/v1/data-import/bulk/", "application/x-ndjson", "Token a.b.c", 401,
     "authentication_failed"},
    {"a wrong token for a payment", "/v1/data-import/payment-instruction/create/", json, "Token a.b.c", 401,
     "authentication_failed"},
};

constexpr std::size_t longest = 10UL * 1024 * 1024;

void check(const Row& row, std::size_t size) {
    World& world = tests::world();
    HttpRequest request{"POST",
                        row.path,
                        {{"Host", "localhost"}, {"Content-Type", row.content_type}},
                        std::string(size, ' ')};
    if (!row.authorization.empty()) {
        const bool is_good = row.authorization == "GOOD";
        request.headers.emplace_back("Authorization",
                                     is_good ? "Token " + *world.shared("token") : row.authorization);
    }
    HttpConnection connection(world.stack().port(), world.stack().value("CA_FILE"));
    const Answer answer = connection.ask(request);
    const std::string told = std::to_string(size) + ' ' + shown(answer);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(told, size > longest ? 413 : row.status, answer.status);
    check_any_answer(answer);
    CPPUNIT_ASSERT_EQUAL_MESSAGE(told, size > longest ? "payload_too_large" : row.code,
                                 parse_error_body(answer.body).code);
}

}  // namespace

class EarlyRefusalTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(EarlyRefusalTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.name, [row] {
                for (const std::size_t size : {110'000, 900'000, 12 * 1024 * 1024}) check(row, size);
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(EarlyRefusalTest);

}  // namespace data_import::tests
