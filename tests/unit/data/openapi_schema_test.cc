#include "data/schema/json_schema.h"

#include <cppunit/extensions/HelperMacros.h>

#include <regex>
#include <string>
#include <vector>

#include "../../table.h"
#include "data/json/reader.h"

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
        {"choice", choice({"A", "B"}), R"({"type":"string","enum":["A","B"]})"},
        {"choice or null", nullable(choice({"A"})), R"({"type":["string","null"],"enum":["A",null]})"},
        {"positive decimal", positive_decimal(4, 2),
         R"({"type":["number","string"],"description":"An exact decimal with at most 2 digits before and 2 )"
         R"(after the decimal point. Send it as a string.","exclusiveMinimum":0,"exclusiveMaximum":100,)"
         R"("pattern":"^0*([1-9][0-9]{0,1}(\\.[0-9]{1,2}0*)?|0\\.0{0}[1-9][0-9]{0,1}0*|0\\.0{1}[1-9][0-9]{0,0}0*)$"})"},
        {"integer", integer(), R"({"type":"integer","format":"int64"})"},
        {"integer with limits", integer(-1, 99),
         R"({"type":"integer","format":"int64","minimum":-1,"maximum":99})"},
        {"decimal", decimal(5, 2),
         R"({"type":["number","string"],"description":"An exact decimal with at most 3 digits before and 2 )"
         R"(after the decimal point. Send it as a string.","exclusiveMinimum":-1000,"exclusiveMaximum":1000,)"
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
         R"({"type":"array","items":{"$ref":"#/components/schemas/JsonObject"},"maxItems":0})"},
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
        {"array of two", array(boolean()).exactly(2, Code::line_item_units_must_be_two_values),
         R"({"type":"array","items":{"type":"boolean"},"minItems":2,"maxItems":2})"},
        {"object of any members", any_object(), R"({"$ref":"#/components/schemas/JsonObject"})"},
        {"object of any members or null", object().may("a", nullable(any_object()), "A."),
         R"({"type":"object","properties":{"a":{"description":"A.","anyOf":[{"$ref":"#/components/schemas/JsonObject"},)"
         R"({"type":"null"}]}},"additionalProperties":false})"},
        {"one of some fields",
         object()
             .may("a", boolean())
             .may("b", boolean())
             .may("c", boolean())
             .need_one_of({"a", "b"}, Code::required, "."),
         R"({"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"},"c":{"type":"boolean"}},)"
         R"("additionalProperties":false,"allOf":[{"anyOf":[{"required":["a"]},{"required":["b"]}]}]})"},
        {"one of all fields",
         object().may("a", boolean()).may("b", boolean()).need_one_of({"a", "b"}, Code::required, "."),
         R"({"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"boolean"}},)"
         R"("additionalProperties":false,"minProperties":1})"},
        {"one of all fields, an object among them, which needs a member",
         object()
             .may("a", boolean())
             .may("b", object().may("c", boolean()))
             .need_one_of({"a", "b"}, Code::required, "."),
         R"({"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"object","properties":{"c":{"type":"boolean"}},)"
         R"("additionalProperties":false}},"additionalProperties":false,"minProperties":1,"not":{"enum":[{"b":{}}]}})"},
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

/// Texts for the tests of forms. Each form accepts some of them.
const std::vector<std::string>& texts_of_forms() {
    static const std::vector<std::string> texts = {"",
                                                   " ",
                                                   "  ",
                                                   "a",
                                                   "a.pdf",
                                                   "a/b.pdf",
                                                   "a b/c d",
                                                   "/a",
                                                   "a/",
                                                   "a//b",
                                                   ".",
                                                   "..",
                                                   "...",
                                                   ".a",
                                                   "..a",
                                                   "a/.",
                                                   "a/..",
                                                   "../a",
                                                   "./a",
                                                   "a/../b",
                                                   "a/...",
                                                   ".../a",
                                                   "a\\b",
                                                   "a\tb",
                                                   "a\x01",
                                                   "a\x7f",
                                                   "a:b",
                                                   "a1+.-:b",
                                                   "1:b",
                                                   "a b:c",
                                                   "a/b:c",
                                                   " /a",
                                                   " a",
                                                   " / ",
                                                   "/",
                                                   "//",
                                                   "\u00e4/\u00f6",
                                                   "x@y",
                                                   "x@y.de",
                                                   "x.y@z.de",
                                                   ".x@y.de",
                                                   "x.@y.de",
                                                   "x..y@z.de",
                                                   "x@-y.de",
                                                   "x@y-.de",
                                                   "x@y-z.de",
                                                   "x@y..de",
                                                   "x@y.de.",
                                                   "a@b@c.de",
                                                   "x y@z.de",
                                                   "\u00e4@\u00f6.de",
                                                   "x@y_z.de",
                                                   "x\"@y.de",
                                                   "+4930123",
                                                   "+49301234",
                                                   "+0930123456",
                                                   "+123456789012345",
                                                   "+1234567890123456",
                                                   "DE",
                                                   "De",
                                                   "DEU",
                                                   "123",
                                                   "12",
                                                   "12.50",
                                                   "-12.50",
                                                   "12.5",
                                                   "1000.00",
                                                   "0",
                                                   "0.00",
                                                   "0.01",
                                                   "0.1",
                                                   "00.10",
                                                   "-0.01",
                                                   "99.99",
                                                   "100",
                                                   "099",
                                                   "1.234",
                                                   "1.2300",
                                                   "0.000"};
    return texts;
}

/// Converts UTF-8 whose code points have one or two bytes.
std::wstring wide(std::string_view utf8) {
    std::wstring text;
    for (std::size_t at = 0; at < utf8.size(); ++at) {
        const auto lead = static_cast<unsigned char>(utf8[at]);
        const unsigned point =
            lead < 0x80 ? lead : (lead & 0x1FU) << 6U | (static_cast<unsigned char>(utf8[++at]) & 0x3FU);
        text += static_cast<wchar_t>(point);
    }
    return text;
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
    CPPUNIT_TEST(patterns_agree_with_the_checks);
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

    void patterns_agree_with_the_checks() {
        for (const Schema& form : {document_path(), url_text(64), email(), phone(), country_code(), digits(3),
                                   fixed_decimal(5, 2), positive_decimal(4, 2)}) {
            Components components;
            const json::Document described = json::read(text_of(form, Side::request, components));
            const std::wregex pattern(wide(described.root().at("pattern").text()));
            for (const std::string& text : texts_of_forms()) {
                const json::Document value = json::read(json::Writer().string(text).take());
                const bool is_right = check(form, value.root(), UnknownFields::refuse).empty();
                CPPUNIT_ASSERT_EQUAL_MESSAGE(
                    text + " and " + std::string(described.root().at("pattern").text()), is_right,
                    std::regex_search(wide(text), pattern));
            }
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

    /// The year of an answer may be 1899: 1900-01-01T00:00:00+14:00 is answered as 1899-12-31T10:00:00Z.
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
