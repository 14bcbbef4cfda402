// Answers of execute(): data, null propagation, variables, introspection, limits.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../graphql/schemas.h"
#include "../../table.h"
#include "data/json/reader.h"
#include "service/graphql/execute.h"

namespace data_import::tests {

namespace {

using namespace graphql;

Response answer(const std::string& query, const std::string& variables = {},
                const std::string& operation = {}, const Schema& schema = sample_schema()) {
    std::optional<json::Document> document;
    if (!variables.empty()) document = json::read(variables);
    return execute(schema, {query, document ? std::optional(document->root()) : std::nullopt, operation},
                   resolve_sample);
}

struct Row {
    std::string query;
    std::string body;
    std::string variables = {};
    std::string operation = {};
};

const std::vector<Row> executed_rows = {
    {"{ number __typename n: number }", R"({"data":{"number":25,"__typename":"Query","n":25}})"},
    {"{ dog { id owner { name } friends { name } } }",
     R"({"data":{"dog":{"id":"7","owner":{"name":"Ada"},"friends":null}}})"},
    {"{ list color }", R"({"data":{"list":[[1,null],null,[]],"color":"RED"}})"},
    {"{ dog { name } ...F dog { owner { name } } } fragment F on Query { dog { id name } }",
     R"({"data":{"dog":{"name":"Rex","id":"7","owner":{"name":"Ada"}}}})"},
    {"{ number @skip(if: true) color @include(if: false) }", R"({"data":{}})"},
    {"mutation { second first }", R"({"data":{"second":1,"first":1}})"},
    {"query A { number } query B { color }", R"({"data":{"color":"RED"}})", "", "B"},
    {"{ echo }", R"({"data":{"echo":"{limit: 10, required: 7}"}})"},
    {"{ echo(limit: null, matrix: 1, colors: RED) }",
     R"({"data":{"echo":"{colors: ['RED'], matrix: [[1]], limit: null, required: 7}"}})"},
    {"query ($i: Int, $l: Int) { echo(int: $i, limit: $l) }",
     R"({"data":{"echo":"{int: null, limit: 10, required: 7}"}})", R"({"i":null})"},
    {"query ($f: Filter) { echo(filter: $f) }",
     R"({"data":{"echo":"{filter: {name: 'x', limit: 5, required: true, color: 'RED'}, limit: 10, required: 7}"}})",
     R"({"f":{"required":true,"name":"x"}})"},
    {"query ($i: Int = 2, $d: Int) { echo(int: $i, limit: $d) }",
     R"({"data":{"echo":"{int: 2, limit: 1000, required: 7}"}})", R"({"d":1e3})"},
    {"{ fail number }",
     R"({"errors":[{"message":"This field fails.","locations":[{"line":1,"column":3}],"path":["fail"],)"
     R"("extensions":{"code":"SAMPLE"}}],"data":{"fail":null,"number":25}})"},
    {"{ b: broken { barks name } number }",
     R"({"errors":[{"message":"This field has no value, although it must not be null.",)"
     R"("locations":[{"line":1,"column":21}],"path":["b","name"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}],)"
     R"("data":{"b":null,"number":25}})"},
    {"{ number brokenRequired { name } }",
     R"({"errors":[{"message":"This field has no value, although it must not be null.",)"
     R"("locations":[{"line":1,"column":27}],"path":["brokenRequired","name"],)"
     R"("extensions":{"code":"INTERNAL_SERVER_ERROR"}}],"data":null})"},
    {"{ wrong }",
     R"({"errors":[{"message":"The value of this field is not of its type.","locations":[{"line":1,"column":3}],)"
     R"("path":["wrong"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}],"data":{"wrong":null}})"},
    {"query ($n: Int = 4) { needs(number: $n) }",
     R"({"errors":[{"message":"This variable has no value, so it cannot be used where one of type Int! is needed.",)"
     R"("locations":[{"line":1,"column":37}],"path":["needs"],"extensions":{"code":"BAD_USER_INPUT"}}],)"
     R"("data":{"needs":null}})",
     R"({"n":null})"},
    {"{ __type(name: \"Color\") { kind enumValues { name } all: enumValues(includeDeprecated: true) { name "
     "deprecationReason } } }",
     R"({"data":{"__type":{"kind":"ENUM","enumValues":[{"name":"RED"},{"name":"GREEN"},{"name":"BLUE"}],)"
     R"("all":[{"name":"RED","deprecationReason":null},{"name":"GREEN","deprecationReason":null},)"
     R"({"name":"BLUE","deprecationReason":null}]}}})"},
    {"{ __type(name: \"Filter\") { inputFields { name defaultValue type { kind name ofType { name } } } "
     "fields { "
     "name } } }",
     R"({"data":{"__type":{"inputFields":[{"name":"name","defaultValue":null,"type":{"kind":"SCALAR",)"
     R"("name":"String","ofType":null}},{"name":"limit","defaultValue":"5","type":{"kind":"NON_NULL","name":null,)"
     R"("ofType":{"name":"Int"}}},{"name":"required","defaultValue":null,"type":{"kind":"NON_NULL","name":null,)"
     R"("ofType":{"name":"Boolean"}}},{"name":"color","defaultValue":"RED","type":{"kind":"ENUM","name":"Color",)"
     R"("ofType":null}},{"name":"and","defaultValue":null,"type":{"kind":"LIST","name":null,"ofType":{"name":null}}}],)"
     R"("fields":null}}})"},
    {"{ __type(name: \"Int\") { specifiedByURL } none: __type(name: \"None\") { name } }",
     R"({"data":{"__type":{"specifiedByURL":null},"none":null}})"},
    {"{ __schema { queryType { name } mutationType { name } subscriptionType { name } directives { name "
     "isRepeatable "
     "} } }",
     R"({"data":{"__schema":{"queryType":{"name":"Query"},"mutationType":{"name":"Mutation"},"subscriptionType":null,)"
     R"("directives":[{"name":"include","isRepeatable":false},{"name":"skip","isRepeatable":false},)"
     R"({"name":"deprecated","isRepeatable":false},{"name":"specifiedBy","isRepeatable":false},)"
     R"({"name":"oneOf","isRepeatable":false}]}}})"},
};

/// A query that is refused, with the code and a part of the message.
struct RefusedRow {
    std::string query;
    std::string code;
    std::string message;
    std::string variables = {};
    std::string operation = {};
};

const std::vector<RefusedRow> refused_rows = {
    {"{", "GRAPHQL_PARSE_FAILED", "the end of the document"},
    {"{ \xFF }", "GRAPHQL_PARSE_FAILED", "UTF-8"},
    {"{ nothing }", "GRAPHQL_VALIDATION_FAILED", "no field \\\"nothing\\\""},
    {"fragment F on Query { number }", "GRAPHQL_VALIDATION_FAILED", "is not used"},
    {"query A { number } query B { number }", "OPERATION_RESOLUTION_FAILURE", "operationName"},
    {"query A { number }", "OPERATION_RESOLUTION_FAILURE", "operationName", "", "B"},
    {"subscription { number }", "OPERATION_RESOLUTION_FAILURE", "no operations of this kind"},
    {"query ($n: Int!) { needs(number: $n) }", "BAD_USER_INPUT", "variable \\\"n\\\" is missing"},
    {"query ($n: Int!) { needs(number: $n) }", "BAD_USER_INPUT",
     "variable \\\"n\\\" does not fit: A value must not be null", R"({"n":null})"},
    {"query ($n: Int!) { needs(number: $n) }", "BAD_USER_INPUT", "not of type Int!", R"({"n":"secret"})"},
    {"query ($f: Filter) { echo(filter: $f) }", "BAD_USER_INPUT", "\\\"required\\\" is missing",
     R"({"f":{"required":true,"and":[{}]}})"},
    {"query ($f: Filter) { echo(filter: $f) }", "BAD_USER_INPUT", "no argument or field \\\"nmae\\\"",
     R"({"f":{"required":true,"nmae":"secret"}})"},
    {"query ($f: Filter) { echo(filter: $f) }", "BAD_USER_INPUT", "not of type Filter", R"({"f":"secret"})"},
    {"mutation { a: once(key: \"secret\") b: once(key: \"secret\") }", "GRAPHQL_VALIDATION_FAILED",
     "once may be asked for once in a request"},
    {"mutation { a: once ...F } fragment F on Mutation { once }", "GRAPHQL_VALIDATION_FAILED",
     "once may be asked for once in a request"},
    {"{ needs(number: \"secret\") }", "GRAPHQL_VALIDATION_FAILED", "not of type Int!"},
};

/// A document within all limits of validation whose answer is very large.
std::string wide_introspection(std::size_t times) {
    std::string text = "{ __schema {";
    for (std::size_t count = 0; count < times; ++count) {
        const std::string alias = "a" + std::to_string(count);
        text += ' ' + alias + ": types { name fields { name type { fields { name } } } }";
    }
    return text + " } }";
}

}  // namespace

class GraphqlExecutionTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(GraphqlExecutionTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(the_same_key_twice_is_one_call);
    CPPUNIT_TEST(nothing_is_resolved_for_a_refused_request);
    CPPUNIT_TEST(other_exceptions_leave);
    CPPUNIT_TEST(answers_are_limited);
    CPPUNIT_TEST(long_answers_are_limited);
    CPPUNIT_TEST(errors_are_limited);
    CPPUNIT_TEST(a_schema_that_contradicts_itself_is_refused);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : executed_rows) {
            add_row(context, row.query, [row] {
                const Response response = answer(row.query, row.variables, row.operation);
                CPPUNIT_ASSERT_EQUAL(row.body, response.body);
                CPPUNIT_ASSERT(response.executed);
            });
        }
        for (const RefusedRow& row : refused_rows)
            add_row(context, row.message + ": " + row.query, [row] { check_refusal(row); });
    }

    void the_same_key_twice_is_one_call() {
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"data":{"once":1}})"), answer("mutation { once once }").body);
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"data":{"once":1}})"),
                             answer("mutation { a: once @skip(if: true) once }").body);
    }

    void nothing_is_resolved_for_a_refused_request() {
        int calls = 0;
        const auto count = [&](const RootField&) -> Datum { return ++calls; };
        const Response response = execute(sample_schema(), {"mutation { first a: once b: once }"}, count);
        CPPUNIT_ASSERT(!response.executed);
        CPPUNIT_ASSERT_EQUAL(0, calls);
    }

    void other_exceptions_leave() {
        const auto fail = [](const RootField&) -> Datum { throw std::runtime_error("no database"); };
        CPPUNIT_ASSERT_THROW(static_cast<void>(execute(sample_schema(), {"{ number }"}, fail)),
                             std::runtime_error);
    }

    void answers_are_limited() {
        CPPUNIT_ASSERT(answer(wide_introspection(10)).body.starts_with(R"({"data")"));
        const Response response = answer(wide_introspection(200));
        CPPUNIT_ASSERT(response.executed);
        CPPUNIT_ASSERT(response.body.find("more than 20000 fields") != std::string::npos);
        CPPUNIT_ASSERT(response.body.ends_with(R"("data":null})"));
    }

    void long_answers_are_limited() {
        const std::string alias(40'000, 'a');
        const std::string body =
            answer("{ __schema { types { " + alias + ": fields { " + "name } } } }").body;
        CPPUNIT_ASSERT(body.size() < max_answer_bytes);
        CPPUNIT_ASSERT(answer("{ __schema { types { fields { " + alias + ": name } } } }")
                           .body.find("longer than 1048576 bytes") != std::string::npos);
    }

    void errors_are_limited() {
        std::string query = "{";
        for (int count = 0; count < 200; ++count) query += " a" + std::to_string(count) + ": fail";
        const std::string body = answer(query + " }").body;
        CPPUNIT_ASSERT(body.find("too many errors") != std::string::npos);
        CPPUNIT_ASSERT(body.find(R"("a99")") != std::string::npos);
        CPPUNIT_ASSERT(body.find(R"("a100")") == std::string::npos);
    }

    void a_schema_that_contradicts_itself_is_refused() {
        const auto refused = [](const std::vector<Type>& types) {
            CPPUNIT_ASSERT_THROW(Schema{types}, std::logic_error);
        };
        refused({});
        refused({Type{TypeKind::object, "Query", "", {{"a", "Nothing"}}}});
        refused({Type{TypeKind::object, "Query", "", {{"a", "Int"}, {"a", "Int"}}}});
        refused({Type{TypeKind::object, "Query", "", {{"a", "Int", "", {{"b", "Query"}}}}}});
        refused({Type{TypeKind::object, "Query", "", {{"a", "Int", "", {{"b", "Int", "", "\"x\""}}}}}});
        refused({Type{TypeKind::object, "Query", "", {{"a", "Int"}}},
                 Type{TypeKind::object, "Query", "", {{"a", "Int"}}}});
        refused({Type{TypeKind::object, "Query", "", {{"a", "In"}}},
                 Type{.kind = TypeKind::input_object, .name = "In", .inputs = {{"a", "Int"}}}});
    }

private:
    static void check_refusal(const RefusedRow& row) {
        const Response response = answer(row.query, row.variables, row.operation);
        CPPUNIT_ASSERT(!response.executed);
        CPPUNIT_ASSERT_MESSAGE(response.body, response.body.find('"' + row.code + '"') != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(response.body, response.body.find(row.message) != std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(response.body, response.body.find("\"data\"") == std::string::npos);
        CPPUNIT_ASSERT_MESSAGE(response.body, response.body.find("secret") == std::string::npos);
        static_cast<void>(json::read(response.body));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(GraphqlExecutionTest);

}  // namespace data_import::tests
