// json/writer: valid JSON for any input.
#include "data/json/writer.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "../../table.h"
#include "data/json/reader.h"

namespace data_import {

namespace {

using namespace std::string_literals;

struct Row {
    std::string text;
    std::string literal;
};

const std::string replacement = "\xEF\xBF\xBD";

const std::vector<Row> literals = {
    {"", "\"\""},
    {"abc", "\"abc\""},
    {"a\"b\\c/d", R"("a\"b\\c/d")"},
    {"\b\f\n\r\t", R"("\b\f\n\r\t")"},
    {"\x01\x1F\x0B", R"("\u0001\u001f\u000b")"},
    {"a\0b"s, R"("a\u0000b")"},
    {"\x7F", "\"\x7F\""},
    {"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80", "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\""},
    {"\xE2\x80\xA8\xE2\x80\xA9", "\"\xE2\x80\xA8\xE2\x80\xA9\""},
    {"a\xFF"
     "b",
     "\"a" + replacement + "b\""},
    {"\xC3", "\"" + replacement + "\""},
    {"\xC3\"", "\"" + replacement + "\\\"\""},
    {"\xED\xA0\x80", "\"" + replacement + replacement + replacement + "\""},
    {"\xC0\x80x", "\"" + replacement + replacement + "x\""},
    {"\n\xFF\n", "\"\\n" + replacement + "\\n\""},
    {"</script>", "\"</script>\""}};

}  // namespace

class JsonWriterTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(JsonWriterTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_literals);
    CPPUNIT_TEST(finds_escapes_at_each_place);
    CPPUNIT_TEST(sets_commas_and_colons);
    CPPUNIT_TEST(writes_scalars);
    CPPUNIT_TEST(escapes_keys);
    CPPUNIT_TEST(writes_parsed_values_as_they_were);
    CPPUNIT_TEST(appends);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_literals(TestSuiteBuilderContextType& context) {
        for (const Row& row : literals) {
            tests::add_row(context, "string " + row.literal, [row] {
                CPPUNIT_ASSERT_EQUAL(row.literal, json::Writer().string(row.text).take());
            });
        }
    }

    /// The writer checks several characters at once, and must not escape the neighbours of an escaped one.
    void finds_escapes_at_each_place() {
        for (const auto& [character, escaped] : std::vector<std::pair<char, std::string>>{
                 {'"', "\\\""}, {'\\', "\\\\"}, {'\x1F', "\\u001f"}, {'\0', "\\u0000"}}) {
            for (std::size_t length = 1; length <= 26; ++length) {
                for (std::size_t place = 0; place < length; ++place) {
                    for (const char around : {' ', '!', '#', '[', ']', '\x7F'}) {
                        std::string text(length, around);
                        text[place] = character;
                        const std::string expected = '"' + std::string(place, around) + escaped +
                                                     std::string(length - place - 1, around) + '"';
                        CPPUNIT_ASSERT_EQUAL(expected, json::Writer().string(text).take());
                    }
                }
            }
        }
    }

    void sets_commas_and_colons() {
        json::Writer writer;
        writer.begin_object().key("a").begin_array().integer(1).begin_array().end_array().integer(2);
        writer.begin_object()
            .end_object()
            .end_array()
            .key("b")
            .begin_object()
            .key("c")
            .null()
            .key("d")
            .string_or_null(std::nullopt)
            .key("e")
            .string_or_null("");
        writer.end_object().key("e").boolean(true).end_object();
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"a":[1,[],2,{}],"b":{"c":null,"d":null,"e":""},"e":true})"),
                             writer.text());
    }

    void writes_scalars() {
        json::Writer writer;
        writer.begin_array().integer(std::numeric_limits<std::int64_t>::min());
        writer.integer(std::numeric_limits<std::int64_t>::max())
            .boolean(false)
            .null()
            .raw("1.50")
            .end_array();
        CPPUNIT_ASSERT_EQUAL(std::string("[-9223372036854775808,9223372036854775807,false,null,1.50]"),
                             writer.take());
    }

    void escapes_keys() {
        CPPUNIT_ASSERT_EQUAL(std::string(R"({"a\"\n":1})"),
                             json::Writer().begin_object().key("a\"\n").integer(1).end_object().take());
    }

    void writes_parsed_values_as_they_were() {
        const std::string text =
            R"({"z":[1.50,-0,1e-05,18446744073709551616],"a":{"":null,"t":true},"s":"\"\\"})";
        const json::Document document = json::read(text);
        json::Writer writer;
        writer.begin_array().value(document.root()).value(document.root().at("z")).end_array();
        CPPUNIT_ASSERT_EQUAL("[" + text + ",[1.50,-0,1e-05,18446744073709551616]]", writer.take());
    }

    void appends() {
        std::string target = "x=";
        json::append_string(target, "a\"b");
        CPPUNIT_ASSERT_EQUAL(std::string(R"(x="a\"b")"), target);
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(JsonWriterTest);

}  // namespace data_import
