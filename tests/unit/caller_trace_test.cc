// What headers of a client may stand in the log.
#include "http/caller_trace.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>

#include "../table.h"

namespace data_import::tests {

namespace {

struct Row {
    std::string text;
    bool is_request_id;
    bool is_traceparent;
};

const std::string trace = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const std::vector<Row> rows = {
    {"", false, false},
    {"a", true, false},
    {"7f9c-41.B_2:x/y+z=@", true, false},
    {"two words", false, false},
    {"a\"b", false, false},
    {"a\nb", false, false},
    {"\xc3\xbc", false, false},
    {std::string(128, 'x'), true, false},
    {std::string(129, 'x'), false, false},
    {"00-" + trace, true, true},
    {"00-" + trace + "-more", true, false},
    {"01-" + trace, true, true},
    {"01-" + trace + "-more", true, true},
    {"01-" + trace + "more", true, false},
    {"01-" + trace + "-m re", false, false},
    {"ff-" + trace, true, false},
    {"0g-" + trace, true, false},
    {"00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01", true, false},
    {"00-00000000000000000000000000000000-b7ad6b7169203331-01", true, false},
    {"00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01", true, false},
    {"00-0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331-01", true, false},
    {"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0", true, false},
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
                CPPUNIT_ASSERT_EQUAL(row.is_traceparent, http::is_traceparent(row.text));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(CallerTraceTest);

}  // namespace data_import::tests
