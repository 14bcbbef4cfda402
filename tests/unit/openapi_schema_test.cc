#include "schema/json_schema.h"

#include <cppunit/extensions/HelperMacros.h>

#include "../table.h"

namespace data_import::tests {

namespace {

using namespace schema;

struct Row {
    const char* name;
    Schema schema;
    const char* text;
};

const std::vector<Row>& rows() {
    static const std::vector<Row> table = {
        {"boolean", boolean(), R"({"type":"boolean"})"},
        {"text", text(1, 64), R"({"type":"string","minLength":1,"maxLength":64,"pattern":"\\S"})"},
        {"text that may be empty", text(0, 5), R"({"type":"string","maxLength":5})"},
        {"digits", digits(11),
         R"({"type":"string","pattern":"^[0-9]{11}$",)"
         R"("description":"This value has to be a string of exactly 11 digits."})"},
        {"e-mail", email(),
         R"({"type":"string","format":"email","pattern":"\\S","maxLength":254,)"
         R"("description":"This value has to be an e-mail address like name@example.org."})"},
        {"choice", choice({"A", "B"}), R"({"type":"string","enum":["A","B"]})"},
        {"choice or null", nullable(choice({"A"})), R"({"type":["string","null"],"enum":["A",null]})"},
        {"integer", integer(), R"({"type":"integer","format":"int64"})"},
        {"integer with limits", integer(-1, 99),
         R"({"type":"integer","format":"int64","minimum":-1,"maximum":99})"},
        {"decimal", decimal(5, 2),
         R"({"type":["number","string"],"exclusiveMinimum":-1000,"exclusiveMaximum":1000,)"
         R"("pattern":"^-?0*[0-9]{1,3}(\\.[0-9]{1,2})?$","description":"An exact decimal, as a number or a )"
         R"(string, with at most 3 digits before and 2 behind the decimal point."})"},
        {"scalar or null", nullable(scalar()),
         R"({"type":["string","number","boolean","null"],"minLength":1,"maxLength":128,"pattern":"\\S"})"},
        {"anything", anything(), "{}"},
        {"object", object().need("a", boolean()).may("b", boolean()),
         R"({"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}},)"
         R"("required":["a"],"additionalProperties":false})"},
        {"object without fields", object(), R"({"type":"object","additionalProperties":false})"},
        {"object whose fields are called alike", object().may("a", boolean()).may_each("b:", 3, boolean()),
         R"({"type":"object","properties":{"a":{"type":"boolean"}},)"
         R"("patternProperties":{"^b:[\\s\\S]{1,3}$":{"type":"boolean"}},"additionalProperties":false})"},
        {"array", array(boolean()).min(1).max(9),
         R"({"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":9})"},
        {"array or null", nullable(array(boolean())),
         R"({"type":["array","null"],"items":{"type":"boolean"}})"},
        {"variant in a field", object().may("item", variant("type", {{"SUPPLY_CHARGE", object()}})),
         R"({"type":"object","properties":{"item":{"oneOf":[)"
         R"({"$ref":"#/components/schemas/RootItemSupplyCharge"}],"discriminator":{"propertyName":"type",)"
         R"("mapping":{"SUPPLY_CHARGE":"#/components/schemas/RootItemSupplyCharge"}}}},)"
         R"("additionalProperties":false})"},
    };
    return table;
}

std::string text_of(const Schema& schema, Side side, Components& components) {
    json::Writer writer;
    write_openapi(writer, schema, side, "Root", components);
    return writer.take();
}

}  // namespace

class OpenapiSchemaTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(OpenapiSchemaTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(alternatives_are_components);
    CPPUNIT_TEST(answers_may_get_more_fields);
    CPPUNIT_TEST(joins_words);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows()) {
            tests::add_row(context, row.name, [row] {
                Components components;
                CPPUNIT_ASSERT_EQUAL(std::string(row.text), text_of(row.schema, Side::request, components));
            });
        }
    }

    void alternatives_are_components() {
        Components components;
        static_cast<void>(text_of(variant("type", {{"A_B", object().may("c", boolean())}, {"D", object()}}),
                                  Side::answer, components));
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, components.size());
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"type":"object","properties":{"type":{"type":"string",)"
                                         R"("enum":["A_B"]},"c":{"type":"boolean"}},"required":["type"]})"),
                             components.at("RootAB"));
    }

    void answers_may_get_more_fields() {
        Components components;
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"type":"object"})"),
                             text_of(object(), Side::answer, components));
    }

    void joins_words() {
        CPPUNIT_ASSERT_EQUAL(std::string("SupplyCharge"), camel_case("SUPPLY_CHARGE"));
        CPPUNIT_ASSERT_EQUAL(std::string("NotesCreate2"), camel_case("notes-create2"));
        CPPUNIT_ASSERT_EQUAL(std::string(), camel_case("--"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(OpenapiSchemaTest);

}  // namespace data_import::tests
