// The weights that clients give media types in the Accept header.
#include "service/http/header_fields.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../table.h"

namespace data_import::tests {

namespace {

struct Row {
    std::string accept;
    double weight;  ///< weight of application/graphql-response+json; -1: not named
};

const std::vector<Row> rows = {
    {"", -1},
    {"*/*", -1},
    {"application/*", -1},
    {"application/json", -1},
    {"application/graphql-response+json", 1},
    {"application/GraphQL-Response+JSON", 1},
    {"application/graphql-response+json; charset=utf-8", 1},
    {"application/graphql-response+json;charset=\"utf-8\" ;q=0.25", 0.25},
    {"application/graphql-response+json, application/json;q=0.9", 1},
    {"application/json;q=0.9,application/graphql-response+json;q=0.8", 0.8},
    {"text/html;x=\",application/graphql-response+json\", text/plain", -1},
    {"text/html;x=\"\\\",\", application/graphql-response+json;q=0.5", 0.5},
    {"application/graphql-response+json;q=0", 0},
    {"application/graphql-response+json;q=0.000", 0},
    {"application/graphql-response+json;Q=1.000", 1},
    {"application/graphql-response+json;q=0.2, application/graphql-response+json;q=0.7", 0.7},
    {"application/graphql-response+json;q=", -1},
    {"application/graphql-response+json;q=2", -1},
    {"application/graphql-response+json;q=1.5", -1},
    {"application/graphql-response+json;q=-1", -1},
    {"application/graphql-response+json;q=0.1234", -1},
    {"application/graphql-response+json;q=nan", -1},
    {"application/graphql-response+jsonx", -1},
    {",,;;=,\"", -1},
    {"\"\\", -1},
};

}  // namespace

class AcceptTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(AcceptTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, row.accept, [row] {
                const auto weight = http::named_weight(row.accept, "application/graphql-response+json");
                CPPUNIT_ASSERT_EQUAL(row.weight, weight.value_or(-1));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(AcceptTest);

}  // namespace data_import::tests
