// The query of a request: parameters by name, and queries that are refused.
#include "service/http/query.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include "../../table.h"
#include "service/http/problem.h"

namespace data_import::tests {

namespace {

const std::vector<http::QueryParameter> parameters = {{"check", "", true}, {"force", "", false}};

const std::vector<http::QueryParameter> others = {
    {.name = "limit", .description = "", .range = http::QueryRange{1, 1000, 100}},
    {.name = "after", .description = "", .is_text = true},
};

struct Row {
    std::string query;
    /// The expected result: the values of the parameters `check` and `force`, each as 1 or 0, and then
    /// ` name:code` for each violation.
    std::string read;
};

const std::vector<Row> rows = {
    {"", "10"},
    {"&", "10"},
    {"check=false", "00"},
    {"check=0&force=1", "01"},
    {"force=TRUE&check=False", "01"},
    {"&&force=tRuE&", "11"},
    {"%63heck=%30", "00"},
    {"check=", "10 check:invalid"},
    {"check", "10 check:invalid"},
    {"check=yes", "10 check:invalid"},
    {"check=2&force=-1", "10 check:invalid force:invalid"},
    {"check=true ", "10 check:invalid"},
    {"check=+true", "10 check:invalid"},
    {"check=true+", "10 check:invalid"},
    {"check=true=true", "10 check:invalid"},
    {"check=true;force=true", "10 check:invalid"},
    {"check=false&check=false", "00 check:invalid"},
    {"check=false&%63heck=true", "00 check:invalid"},
    {"Check=false", "10 Check:unknown_field"},
    {"=false", "10 :unknown_field"},
    {"a=1&b&a=2", "10 a:unknown_field b:unknown_field"},
    {"%C3%BC=1", "10 ü:unknown_field"},
};

/// Queries for the list of parameters `others`. `read` is the value of `limit`, then a colon and the value of
/// `after` if the query has one, then the violations.
const std::vector<Row> rows_of_others = {
    {"", "100"},
    {"limit=1", "1"},
    {"limit=1000&after=x", "1000:x"},
    {"after=%C3%BC%20+", "100:ü  "},
    {"after=", "100:"},
    {"limit=%31%30", "10"},
    {"limit=007", "7"},
    {"limit=0", "100 limit:min_value"},
    {"limit=1001", "100 limit:max_value"},
    {"limit=999999999999999999", "100 limit:max_value"},
    {"limit=1000000000000000000", "100 limit:invalid"},
    {"limit=", "100 limit:invalid"},
    {"limit", "100 limit:invalid"},
    {"limit=-1", "100 limit:invalid"},
    {"limit=+1", "100 limit:invalid"},
    {"limit=1.0", "100 limit:invalid"},
    {"limit=1e2", "100 limit:invalid"},
    {"limit=ten", "100 limit:invalid"},
    {"limit=1+", "100 limit:invalid"},
    {"limit=%2B1", "100 limit:invalid"},
    {"after=a+b%2Bc%20d%2bé", "100:a b+c d+é"},
    {"after=a=b%26c", "100:a=b&c"},
    {"+after=a", "100  after:unknown_field"},
    {"after=a&after=a", "100:a after:invalid"},
    {"limit=2&limit=2", "2 limit:invalid"},
    {"Limit=2", "100 Limit:unknown_field"},
};

std::string summary(const http::Query& query) {
    std::string text;
    std::string after;
    for (const auto& [name, value] : query.values)
        (name == "after" ? after = ":" : text) += value == "true" ? "1" : value == "false" ? "0" : value;
    text += after;
    for (const schema::Violation& violation : query.violations) {
        CPPUNIT_ASSERT(violation.detail.ends_with('.'));
        text.append(" ").append(violation.attr).append(":").append(codes::name_of(violation.code));
    }
    return text;
}

http::Query read(std::string_view text) {
    return http::read_query(http::decode_query(text), parameters);
}

}  // namespace

class QueryTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(QueryTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows_of_others);
    CPPUNIT_TEST(one_parameter_is_found);
    CPPUNIT_TEST(of_too_many_parameters_the_first_are_read);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_badly_encoded);
    CPPUNIT_TEST(many_violations_are_cut);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            add_row(context, "?" + row.query,
                    [row] { CPPUNIT_ASSERT_EQUAL(row.read, summary(read(row.query))); });
        }
    }

    void one_parameter_is_found() {
        for (const auto& [query, found] : std::vector<std::pair<std::string, std::optional<bool>>>{
                 {"", std::nullopt},
                 {"check=true", true},
                 {"force=false&%63heck=0", false},
                 {"check=true&check=false", true},
                 {"check=maybe", std::nullopt},
                 {"check=true+", std::nullopt},
                 {"check", std::nullopt},
                 {"checks=true&xcheck=true&check+=true", std::nullopt}}) {
            CPPUNIT_ASSERT_MESSAGE(query, found == http::find_boolean(http::decode_query(query), "check"));
        }
        CPPUNIT_ASSERT(http::has_parameter(http::decode_query("a=1&check"), "check"));
        CPPUNIT_ASSERT(http::has_parameter(http::decode_query("%63heck=%31=2&b"), "check"));
        CPPUNIT_ASSERT(!http::has_parameter(http::decode_query("b=check&check+"), "check"));
    }

    void of_too_many_parameters_the_first_are_read() {
        std::string many;
        while (many.size() < 15'000) many += "a&";
        CPPUNIT_ASSERT_EQUAL(std::size_t{128}, http::decode_query(many).size());
        CPPUNIT_ASSERT_EQUAL(std::string("10 a:unknown_field"), summary(read(many)));
    }

    static void add_rows_of_others(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows_of_others) {
            add_row(context, "number and text ?" + row.query, [row] {
                CPPUNIT_ASSERT_EQUAL(row.read,
                                     summary(http::read_query(http::decode_query(row.query), others)));
            });
        }
    }

    static void add_badly_encoded(TestSuiteBuilderContextType& context) {
        for (const char* text :
             {"%zz=1", "%=1", "check=1&%ff", "%00=1", "check=%zz", "check=%ff", "check=true%00", "check=%",
              "check=%2", "check=%c3", "check=%ED%A0%80", "check=% 1", "check=%+1", "unknown=%ff", "\xff"}) {
            add_row(context, std::string("badly encoded ?") + text, [text] {
                try {
                    static_cast<void>(http::decode_query(text));
                    CPPUNIT_FAIL(text);
                } catch (const http::Problem& problem) {
                    CPPUNIT_ASSERT(problem.code == Code::bad_request);
                }
            });
        }
    }

    void many_violations_are_cut() {
        std::string text;
        for (int number = 0; number < 300; ++number) text += "x" + std::to_string(number) + "&";
        CPPUNIT_ASSERT_EQUAL(schema::max_violations, read(text).violations.size());
        const auto query = read(std::string(1000, 'x'));
        CPPUNIT_ASSERT_EQUAL(std::size_t{256}, query.violations.at(0).attr.size());
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(QueryTest);

}  // namespace data_import::tests
