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
         R"({"type":"string","description":"This value has to be a string of exactly 11 digits.",)"
         R"("pattern":"^[0-9]{11}$"})"},
        {"e-mail", email(),
         R"({"type":"string","description":"This value has to be an e-mail address like name@example.org.",)"
         R"("format":"email","pattern":"\\S","maxLength":254})"},
        {"choice", choice({"A", "B"}), R"({"type":"string","enum":["A","B"]})"},
        {"choice or null", nullable(choice({"A"})), R"({"type":["string","null"],"enum":["A",null]})"},
        {"integer", integer(), R"({"type":"integer","format":"int64"})"},
        {"integer with limits", integer(-1, 99),
         R"({"type":"integer","format":"int64","minimum":-1,"maximum":99})"},
        {"decimal", decimal(5, 2),
         R"({"type":["number","string"],"description":"An exact decimal with at most 3 digits before and 2 )"
         R"(behind the decimal point, where zeros at the end do not count; best sent as a string, because many languages' numbers cannot hold it )"
         R"((there 0.1 + 0.2 is not 0.3).","exclusiveMinimum":-1000,"exclusiveMaximum":1000,)"
         R"("pattern":"^-?0*[0-9]{1,3}(\\.[0-9]{1,2}0*)?$"})"},
        {"scalar or null", nullable(scalar()),
         R"({"type":["string","number","boolean","null"],"minLength":1,"maxLength":128,"pattern":"\\S"})"},
        {"anything", anything(), R"({"$ref":"#/components/schemas/JsonValue"})"},
        {"anything, mostly a boolean", anything_like(boolean()),
         R"({"anyOf":[{"type":"boolean"},{"$ref":"#/components/schemas/JsonValue"}]})"},
        {"sentences of fields",
         object().need("a", boolean(), "A.").may("b", nullable(digits(2)), "B.").may("c", anything(), "C."),
         R"({"type":"object","properties":{"a":{"type":"boolean","description":"A."},"b":{"type":["string","null"],)"
         R"("description":"B. This value has to be a string of exactly 2 digits.","pattern":"^[0-9]{2}$"},)"
         R"("c":{"description":"C.","$ref":"#/components/schemas/JsonValue"}},)"
         R"("additionalProperties":false,"required":["a"]})"},
        {"an array that has to be empty", array(object()).max(0),
         R"({"type":"array","items":{"$ref":"#/components/schemas/JsonValue"},"maxItems":0})"},
        {"object", object().need("a", boolean()).may("b", boolean()),
         R"({"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}},)"
         R"("additionalProperties":false,"required":["a"]})"},
        {"object without fields", object(),
         R"({"type":"object","maxProperties":0,"additionalProperties":{"$ref":"#/components/schemas/JsonValue"}})"},
        {"object whose fields are called alike", object().may("a", boolean()).may_each("b:", 3, boolean()),
         R"({"type":"object","additionalProperties":{"type":"boolean"},)"
         R"("propertyNames":{"pattern":"^(a|b:[\\s\\S]{1,3})$"}})"},
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
    CPPUNIT_TEST(answers_are_in_utc);
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
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                R"({"type":"object","additionalProperties":{"$ref":"#/components/schemas/JsonValue"}})"),
            text_of(object(), Side::answer, components));
    }

    /// 1900-01-01T00:00:00+14:00 is answered 1899-12-31T10:00:00Z.
    void answers_are_in_utc() {
        Components components;
        CPPUNIT_ASSERT_EQUAL(
            std::string(
                R"({"type":"string","format":"date-time","pattern":"^(18|19|2[0-9]|30)[0-9]{2}-[0-9]{2}-)"
                R"([0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6}0*)?)"
                R"((Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])$"})"),
            text_of(datetime(), Side::answer, components));
    }

    void joins_words() {
        CPPUNIT_ASSERT_EQUAL(std::string("SupplyCharge"), camel_case("SUPPLY_CHARGE"));
        CPPUNIT_ASSERT_EQUAL(std::string("NotesCreate2"), camel_case("notes-create2"));
        CPPUNIT_ASSERT_EQUAL(std::string(), camel_case("--"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(OpenapiSchemaTest);

}  // namespace data_import::tests
