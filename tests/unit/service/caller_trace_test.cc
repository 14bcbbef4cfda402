// Checks of the headers X-Request-Id and traceparent, which the log shows only if they are well-formed.
#include "service/http/header_fields.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>

#include "../../table.h"

namespace data_import::tests {

namespace {

struct Row {
    std::string text;
    bool is_request_id;
    /// The part of `text` that is logged if `text` is sent as the header traceparent; empty if none is
    /// logged.
    std::string traceparent;
};

const std::string trace = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const std::vector<Row> rows = {
    {"", false, ""},
    {"a", true, ""},
    {"7f9c-41.B_2:x/y+z=@", true, ""},
    {"two words", false, ""},
    {"a\"b", false, ""},
    {"a\nb", false, ""},
    {"\xc3\xbc", false, ""},
    {std::string(128, 'x'), true, ""},
    {std::string(129, 'x'), false, ""},
    {"00-" + trace, true, "00-" + trace},
    {"00-" + trace + "-more", true, ""},
    {"01-" + trace, true, "01-" + trace},
    {"01-" + trace + "-more", true, "01-" + trace},
    {"01-" + trace + "more", true, ""},
    {"01-" + trace + "-m re", false, "01-" + trace},
    {"01-" + trace + "-", true, "01-" + trace},
    {"fe-" + trace + '-' + std::string(500, 'x'), false, "fe-" + trace},
    {"00-" + trace + "-", true, ""},
    {"ff-" + trace, true, ""},
    {"ff-" + trace + "-more", true, ""},
    {"01-00000000000000000000000000000000-b7ad6b7169203331-01-more", true, ""},
    {"01-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", true, ""},
    {"0g-" + trace, true, ""},
    {"00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", true, ""},
    {"00-00000000000000000000000000000000-b7ad6b7169203331-01", true, ""},
    {"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", true, ""},
    {"00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01", true, ""},
    {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0", true, ""},
};

}  // namespace

class CallerTraceTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(CallerTraceTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, row.text, [row] {
                CPPUNIT_ASSERT_EQUAL(row.is_request_id, http::is_client_request_id(row.text));
                CPPUNIT_ASSERT_EQUAL(row.traceparent, std::string(http::traceparent_in(row.text)));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CallerTraceTest);

}  // namespace data_import::tests
