// payload/rules: rules that several payloads share.
#include "data/payload/rules.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <string>
#include <vector>

#include "../../schema_summary.h"
#include "../../table.h"

namespace data_import::tests {

namespace {

struct Row {
    const char* name;
    const char* payload;
    const char* violations;
};

void period_rule(const json::Value& object, schema::Report& report) {
    payload::check_period(object, "from", "to", report);
}

const std::vector<Row> dates = {
    {"dates in order", R"({"from":"2023-01-01","to":"2023-01-31"})", ""},
    {"the same day", R"({"from":"2024-02-29","to":"2024-02-29"})", ""},
    {"dates backwards", R"({"from":"2023-02-01","to":"2023-01-31"})", "to:period_end_before_start"},
    {"the end field first", R"({"to":"2022-12-31","from":"2023-01-01"})", "to:period_end_before_start"},
    {"no end", R"({"from":"2023-02-01"})", ""},
    {"no start", R"({"to":"2023-02-01"})", ""},
    {"a wrong date", R"({"from":"2023-02-30","to":"2023-01-31"})", "from:invalid"},
};

const std::vector<Row> datetimes = {
    {"datetimes in order", R"({"from":"2023-01-01T00:00:00Z","to":"2023-01-01T00:00:01Z"})", ""},
    {"one instant in two offsets", R"({"from":"2023-01-01T00:00:00Z","to":"2022-12-31T23:00:00-01:00"})", ""},
    {"later by the clock, earlier in time",
     R"({"from":"2023-01-01T00:00:00Z","to":"2023-01-01T00:30:00+01:00"})", "to:period_end_before_start"},
    {"a microsecond backwards", R"({"from":"2023-01-01T00:00:00.000001Z","to":"2023-01-01T00:00:00Z"})",
     "to:period_end_before_start"},
};

schema::Schema period(const schema::Schema& field) {
    return schema::object().may("from", field).may("to", field).rule({"from", "to"}, period_rule);
}

void repetition_rule(const json::Value& object, schema::Report& report) {
    payload::check_repetitions(object,
                               {.array = "items",
                                .field = "id",
                                .form = schema::text(1, 3),
                                .max_items = 4,
                                .code = Code::duplicate,
                                .detail = "There is one before."},
                               report);
}

const std::vector<Row> repetitions = {
    {"all different", R"({"items":[{"id":"a"},{"id":"A"},{"id":"a "}]})", ""},
    {"each one but the first", R"({"items":[{"id":"a"},{"id":"b"},{"id":"a"},{"id":"a"}]})",
     "items.2.id:duplicate items.3.id:duplicate"},
    {"beside other violations", R"({"items":[{"id":"a"},{"x":1,"id":"a"},7]})",
     "items.1.x:unknown_field items.1.id:duplicate items.2:invalid"},
    {"ids that are wrong themselves", R"({"items":[{"id":"long"},{"id":"long"},{"id":1},{"id":1}]})",
     "items.0.id:max_length items.1.id:max_length items.2.id:invalid items.3.id:invalid"},
    {"missing ids", R"({"items":[{},{}]})", "items.0.id:required items.1.id:required"},
    {"behind the last item that counts",
     R"({"items":[{"id":"a"},{"id":"b"},{"id":"c"},{"id":"d"},{"id":"a"}]})", "items:max_items"},
    {"no array", R"({"items":"a"})", "items:invalid"},
    {"nothing there", R"({})", ""},
};

/// A report that accepts three violations.
class SmallReport : public schema::Report {
public:
    void add(Code, std::string) override { ++taken; }
    void add(std::string_view, Code, std::string) override { ++taken; }
    [[nodiscard]] bool takes(const json::Value&) const override { return taken < 3; }

    int taken = 0;
};

schema::Schema list() {
    const auto item = schema::object().need("id", schema::text(1, 3));
    return schema::object().may("items", schema::array(item).max(4)).rule({}, repetition_rule);
}

}  // namespace

class RulesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(RulesTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(looks_for_repetitions_while_the_report_takes_them);
    CPPUNIT_TEST_SUITE_END();

    void looks_for_repetitions_while_the_report_takes_them() {
        const std::string item = R"({"id":"a"})";
        const json::Document document = json::read("{\"items\":[" + item + repeated("," + item, 999) + "]}");
        SmallReport report;
        payload::check_repetitions(document.root(),
                                   {.array = "items",
                                    .field = "id",
                                    .form = schema::text(1, 3),
                                    .max_items = 1000,
                                    .code = Code::duplicate,
                                    .detail = "There is one before."},
                                   report);
        CPPUNIT_ASSERT_EQUAL(3, report.taken);
    }

    static void add_rows(TestSuiteBuilderContextType& context) {
        add(context, dates, period(schema::date()));
        add(context, datetimes, period(schema::datetime()));
        add(context, repetitions, list());
    }

    static void add(TestSuiteBuilderContextType& context, const std::vector<Row>& rows,
                    const schema::Schema& schema) {
        for (const Row& row : rows) {
            add_row(context, row.name, [row, schema] {
                CPPUNIT_ASSERT_EQUAL(std::string(row.violations), summary(schema, row.payload));
            });
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(RulesTest);

}  // namespace data_import::tests
