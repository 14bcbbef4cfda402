// json/reader and json/value: texts that the reader accepts or refuses, and the values of a document.
#include "data/json/reader.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../../table.h"
#include "data/json/writer.h"

namespace data_import {

namespace {

using namespace std::string_literals;

struct Accepted {
    std::string text;
    std::string rewritten;  ///< the text that json::Writer makes of it
};

std::string nested(std::size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
}

std::string nested_objects(std::size_t levels) {
    std::string text = "1";
    for (std::size_t level = 0; level < levels; ++level) text.insert(0, "{\"a\":").append("}");
    return text;
}

std::string rewritten(const std::string& text) {
    const json::Document document = json::read(text);
    json::Writer writer;
    writer.value(document.root());
    return writer.take();
}

const std::vector<Accepted> accepted = {
    {"{}", "{}"},
    {"[]", "[]"},
    {"{ }", "{}"},
    {" \t\r\n[ \t\r\n1 \t\r\n, \t\r\n2 \t\r\n] \t\r\n", "[1,2]"},
    {"{ \"a\" : 1 , \"b\" : [ ] }", R"({"a":1,"b":[]})"},
    {"null", "null"},
    {"true", "true"},
    {"false", "false"},
    {"0", "0"},
    {" 1 ", "1"},
    {"\"\"", "\"\""},
    {"\"a\"", "\"a\""},
    {"[null,true,false]", "[null,true,false]"},
    {"[[],{},[[]],{\"a\":{}}]", R"([[],{},[[]],{"a":{}}])"},
    {"{\"b\":1,\"a\":2,\"\":3}", R"({"b":1,"a":2,"":3})"},
    {"{\"a\":1,\"A\":2,\"a \":3}", R"({"a":1,"A":2,"a ":3})"},
    {"[{\"a\":1},{\"a\":1}]", R"([{"a":1},{"a":1}])"},
    {"{\"a\":{\"a\":{\"a\":1}}}", R"({"a":{"a":{"a":1}}})"},
    // numbers keep their literals
    {"[0,-0,0.0,-0.0,0e1,0E+1,0e-1]", "[0,-0,0.0,-0.0,0e1,0E+1,0e-1]"},
    {"[1,-1,1.0,1.50,1e2,1E2,1e+2,1e-05]", "[1,-1,1.0,1.50,1e2,1E2,1e+2,1e-05]"},
    {"[18446744073709551615,18446744073709551616]", "[18446744073709551615,18446744073709551616]"},
    {"[9223372036854775807,9223372036854775808]", "[9223372036854775807,9223372036854775808]"},
    {"[-9223372036854775808,-9223372036854775809]", "[-9223372036854775808,-9223372036854775809]"},
    {"[-9999999999999999999,-18446744073709551616]", "[-9999999999999999999,-18446744073709551616]"},
    {"[123456789012345678901234567890]", "[123456789012345678901234567890]"},
    {"-99999999999999999999", "-99999999999999999999"},
    {"{\"a\":99999999999999999999,\"b\":\"99999999999999999999\"}",
     R"({"a":99999999999999999999,"b":"99999999999999999999"})"},
    {"[0.1000000000000000055511151231257827]", "[0.1000000000000000055511151231257827]"},
    {"[1e308,1.7976931348623157e308,-1e308]", "[1e308,1.7976931348623157e308,-1e308]"},
    {"[1e-400,0e400,0e-400]", "[1e-400,0e400,0e-400]"},
    {"[0e401,-0.00E-999,0e99999999999999999999]", "[0e401,-0.00E-999,0e99999999999999999999]"},
    {"[" + std::string(100, '9') + "]", "[" + std::string(100, '9') + "]"},
    {"[0." + std::string(98, '1') + "]", "[0." + std::string(98, '1') + "]"},
    {"{\"1\":\"2\",\"3\":4}", R"({"1":"2","3":4})"},
    {"[\"1,2\",3,\"\\\"4\",5,\"\\\\\",6]", R"(["1,2",3,"\"4",5,"\\",6])"},
    // strings
    {R"(["\"\\\/\b\f\n\r\t"])", R"(["\"\\/\b\f\n\r\t"])"},
    {R"(["\u0041\u00e9\u20AC\uFFFF\u001f"])", "[\"A\xC3\xA9\xE2\x82\xAC\xEF\xBF\xBF\\u001f\"]"},
    {R"(["\ud83d\ude00","\uDBFF\uDFFF","\ud800\udc00"])",
     "[\"\xF0\x9F\x98\x80\",\"\xF4\x8F\xBF\xBF\",\"\xF0\x90\x80\x80\"]"},
    {R"(["\\u0000","\\\\u0000"])", R"(["\\u0000","\\\\u0000"])"},
    {R"({"\\u0000":1})", R"({"\\u0000":1})"},
    {R"(["\u0001","\u00010"])", R"(["\u0001","\u00010"])"},
    {"[\"\x7F\"]", "[\"\x7F\"]"},
    {"[\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"]", "[\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"]"},
    {"[\"\xEF\xBB\xBF\"]", "[\"\xEF\xBB\xBF\"]"},
    {"[\"\xE2\x80\xA8\xE2\x80\xA9\"]", "[\"\xE2\x80\xA8\xE2\x80\xA9\"]"},
    {"[\"/* no comment */ // none\"]", "[\"/* no comment */ // none\"]"},
    {"[\"[1,}{\",\"'\"]", "[\"[1,}{\",\"'\"]"},
    {"{\"\xC3\xA4\":1,\"\\u00e4x\":2}", "{\"\xC3\xA4\":1,\"\xC3\xA4x\":2}"},
    {"[\"" + std::string(100'000, 'x') + "\"]", "[\"" + std::string(100'000, 'x') + "\"]"},
    // texts that need no decoding next to texts that have escapes
    {"{\"a\\n\":\"b\",\"c\":\"d\\u0041\",\"\\u0065\":1e2,\"f\":\"\",\"g\":-0.50,\"\\/"
     "\":\"\\\\\",\"h\":\"i\"}",
     R"({"a\n":"b","c":"dA","e":1e2,"f":"","g":-0.50,"/":"\\","h":"i"})"},
    {"[ \"a\" ,\n\t\"\\u0062\" , 0 , \"c\" ,-1, { \"\\t\" : \"\\\"\" , \"d\" : 2 } ]",
     R"(["a","b",0,"c",-1,{"\t":"\"","d":2}])"},
    // nesting
    {nested(32), nested(32)},
    {nested_objects(32), nested_objects(32)},
};

const std::vector<std::string> refused = {
    // empty texts, incomplete ones, and ones with more after the value
    "", " ", "\n\t\r ", "[", "{", "]", "}", "[}", "{]", "[1", "[[1]", "[1,", "{\"a\"", "{\"a\":", "{\"a\":1",
    "{\"a\":1,", "[1]]", "[1] x", "[1][2]", "{}{}", "{} {}", "[1],", ",[1]", "1 2", "1,", "true x", "truex",
    "nulll", "\"a\" \"b\"", "[1]#", "1x",
    // commas and colons
    "[1,]", "[,1]", "[1,,2]", "[,]", "[1 2]", "[1:2]", "[1\"a\"]", "[\"a\"1]", "[\"a\"-1]", "[1, 2 3]",
    "{\"a\": \"b\" \"c\"}", "{\"a\"\"b\":1}", "{\"a\":1\"b\":2}", "[true false]", "[truefalse]",
    "[\"a\"\"b\"]", "[\"a\" 1]", "[1true]", "[[],]", "[{},]", "[[][]]", "[{}{}]", "{\"a\":1,}", "{,}",
    "{,\"a\":1}", "{\"a\":1,,\"b\":2}", "{\"a\" 1}", "{\"a\",1}", "{\"a\"}", "{\"a\":}", "{\"a\":,\"b\":1}",
    "{:1}", "{\"a\":1 \"b\":2}", "{\"a\":\"b\":\"c\"}", "{\"a\"::1}", "{\"a\"=1}", "{\"a\";1}", ":", ",",
    // keys
    "{a:1}", "{1:2}", "{'a':1}", "{null:1}", "{[]:1}", "{{}:1}", "{true:1}", "{\"a\":1,b:2}",
    // wrong literals
    "tru", "t", "nul", "fals", "True", "TRUE", "None", "undefined", "[NaN]", "[nan]", "[Infinity]",
    "[-Infinity]", "[inf]", "[tru]", "[tru1e]", "[tr ue]", "[tr\"\"ue]", "[nu\"l\"l]", "[fals0e]", "[true1]",
    "[True]", "{\"a\":tru}", "[yes]",
    // numbers
    "-", "[-]", "[--1]", "[+1]", "[.5]", "[-.5]", "[1.]", "[1.e1]", "[01]", "[-01]", "[00]", "[00.1]", "[1e]",
    "[1e+]", "[1E-]", "[0e]", "[1e1.5]", "[1e5e5]", "[1.2.3]", "[1-2]", "[1+2]", "[0x10]", "[1_000]",
    "[1,5.]", "[1/2]", "[0123456789012345678901]", "[12345678901234567890.]", "[12345678901234567890e]",
    "[12345678901234567890 1]", "[-012345678901234567890]", "[\xD9\xA1]", "[\xEF\xBC\x91]", "-x", "[- 1]",
    "[1e400]", "[-1e400]", "[0.01e401]", "[1e-401]", "[1e99999999999]", "[1e-99999999999]", "[1E400]",
    "[1e309]", "[1.7976931348623159e308]", "[1e99999999999999999999]", "[" + std::string(101, '9') + "]",
    "[0." + std::string(99, '1') + "]", "[1" + std::string(400, '0') + "]",
    "[" + std::string(90, '9') + "e300]",
    // strings
    "\"", "[\"abc", "[\"a\\", "[\"a\\\"]", "['a']", "[`a`]", "[\"a\tb\"]", "[\"a\nb\"]", "[\"a\rb\"]",
    "[\"\x01\"]", "[\"\x1F\"]", "{\"a\tb\":1}", "[\"\\x\"]", "[\"\\a\"]", "[\"\\v\"]", "[\"\\0\"]",
    "[\"\\'\"]", "[\"\\U0041\"]", "[\"\\ \"]", "[\"\\\n\"]", "[\"\\\xC3\xA4\"]", "[\"\\u\"]", "[\"\\u00\"]",
    "[\"\\u004\"]", "[\"\\u00g0\"]", "[\"\\u+041\"]", "[\"\\u 041\"]", "[\"\\u{41}\"]", "[\"\\x41\"]",
    "[\\u0020 1]", "[\\\"a\"]",
    // surrogates
    "[\"\\ud800\"]", "[\"\\uDFFF\"]", "[\"\\ud83dx\"]", "[\"\\ud83d\\n\"]", "[\"\\ud83d\\u0041\"]",
    "[\"\\udc00\\ud800\"]", "[\"\\ud800\\ud800\"]", "[\"\\ud800\\ud800\\udc00\"]", "[\"\\ude00\"]",
    "{\"\\ud800\":1}", "[\"\\ud83d\\\"]",
    // U+0000
    "[\"\\u0000\"]", "[\"a\\u0000b\"]", "{\"a\\u0000b\":1}", "{\"\\u0000\":1}", "[\"\\\\\\u0000\"]",
    "\"\\u0000\"", "[\"a\0b\"]"s, "{\"a\0b\":1}"s, "[1]\0"s, "\0[1]"s, "[1\0]"s, "[\0]"s, "\0"s, "1\0"s,
    "null\0"s, "[1,\0]"s, "{\"a\"\0:1}"s, "{\"a\":\0 1}"s,
    // encoding
    "\xEF\xBB\xBF[1]", "\xEF\xBB\xBF", "\xFE\xFF\0[\0]"s, "\xFF\xFE[\0]\0"s, "[\0]\0"s, "[\"\xFF\"]",
    "[\"\xC0\x80\"]", "[\"\xED\xA0\x80\"]", "[\"\xF4\x90\x80\x80\"]", "[\"\xC3\"]", "{\"\xFF\":1}", "[\xFF]",
    "[1]\xFF", "[\"\xE4\"]", "[\"a\xE2\x82", "[\"\x80\"]", "[\"\xC3(\"]", "[\"\xE0\x80\xAF\"]",
    "[\"\xED\xA0\xBD\xED\xB8\x80\"]", "a=1&b=2",
    // characters that are no white space in JSON
    "[\f1]", "[\v1]",
    "[\xC2\xA0"
    "1]",
    "\xE2\x80\xA8[1]", "[1]\x1A", "[1\b]",
    // comments
    "/* */[1]", "[1]/* */", "[1]//x", "[/**/1]", "//\n[1]", "[1]#x", "[#]", "*[1]", "<!-- -->[1]",
    // nesting
    nested(33), nested(129), nested(1000), nested(100'000), std::string(100'000, '['), nested_objects(33),
    nested_objects(100'000),
    // keys that occur twice
    "{\"a\":1,\"a\":1}", "{\"a\":1,\"b\":2,\"a\":3}", "{\"\":1,\"\":2}", "[{\"a\":{\"b\":1,\"b\":2}}]",
    "{\"a\":1,\"\\u0061\":2}", "{\"a\":{\"x\":1},\"a\":{\"y\":1}}", "{\"\xC3\xA4\":1,\"\\u00e4\":2}"};

/// An object with the keys from `count` - 1 down to 0, which is the worst order for sorting.
std::string many_keys(int count) {
    json::Writer writer;
    writer.begin_object();
    for (int number = count - 1; number >= 0; --number) writer.key(std::to_string(number)).integer(number);
    return writer.end_object().take();
}

/// `[0,0,...]`.
std::string array_of(std::size_t count, const std::string& value) {
    std::string text = "[" + value;
    for (std::size_t number = 1; number < count; ++number) text += ',' + value;
    return text + ']';
}

std::string message_for(const std::string& text) {
    try {
        static_cast<void>(json::read(text));
    } catch (const json::SyntaxError& error) {
        return error.what();
    }
    return "accepted";
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class JsonReaderTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(JsonReaderTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_accepted);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_refused);
    CPPUNIT_TEST(says_where);
    CPPUNIT_TEST(names_the_cause);
    CPPUNIT_TEST(has_the_place_as_a_value);
    CPPUNIT_TEST(names_the_duplicate_key_cut);
    CPPUNIT_TEST(quotes_nothing_else);
    CPPUNIT_TEST(finds_duplicates_among_many_keys);
    CPPUNIT_TEST(counts_the_members_of_each_object);
    CPPUNIT_TEST(counts_values_and_keys);
    CPPUNIT_TEST(looks_at_nothing_behind_too_much);
    CPPUNIT_TEST(takes_time_in_proportion_to_the_escapes);
    CPPUNIT_TEST(keeps_texts_of_one_shape_apart);
    CPPUNIT_TEST(reads_more_shapes_than_it_remembers);
    CPPUNIT_TEST(gives_values);
    CPPUNIT_TEST(finds_members);
    CPPUNIT_TEST(finds_members_in_any_turn);
    CPPUNIT_TEST(orders_positions);
    CPPUNIT_TEST(refuses_wrong_questions);
    CPPUNIT_TEST(survives_moving);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_accepted(TestSuiteBuilderContextType& context) {
        for (const Accepted& row : accepted) {
            tests::add_row(context, "accepts " + row.text, [row] {
                CPPUNIT_ASSERT_EQUAL(row.rewritten, rewritten(row.text));
                CPPUNIT_ASSERT_EQUAL(row.rewritten, rewritten(row.text));
            });
        }
    }

    static void add_refused(TestSuiteBuilderContextType& context) {
        for (const std::string& text : refused) {
            tests::add_row(context, "refuses " + text, [text] {
                CPPUNIT_ASSERT_THROW(static_cast<void>(json::read(text)), json::SyntaxError);
            });
        }
    }

    void says_where() {
        CPPUNIT_ASSERT(contains(message_for("[1,\n 2 x]"), "near line 2, byte 4."));
        CPPUNIT_ASSERT(contains(message_for("[1,]"), "near line 1, byte 4."));
        CPPUNIT_ASSERT(contains(message_for("[1,,2]"), "near line 1, byte 4."));
        CPPUNIT_ASSERT(contains(message_for("[,1]"), "near line 1, byte 2."));
        CPPUNIT_ASSERT(contains(message_for("{\"a\": tru}"), "near line 1, byte 7."));
        CPPUNIT_ASSERT(contains(message_for("[1] [2]"), "near line 1, byte 5."));
        CPPUNIT_ASSERT(contains(message_for("[\"ok\",\n\n\"\\u0000\"]"), "near line 3, byte 1."));
        CPPUNIT_ASSERT(contains(message_for("[1e999]"), "near line 1, byte 2."));
        CPPUNIT_ASSERT(contains(message_for(nested(40)), "near line 1, byte 33."));
    }

    void names_the_cause() {
        CPPUNIT_ASSERT(contains(message_for(""), "empty"));
        CPPUNIT_ASSERT(contains(message_for("\xEF\xBB\xBF[]"), "byte order mark"));
        CPPUNIT_ASSERT(
            contains(message_for("[1,\n\"\xC3\xA4\xFF\"]"), "not valid UTF-8 near line 2, byte 4."));
        CPPUNIT_ASSERT(
            contains(message_for("{\"a\":\"M\xFCller\"}"), "not valid UTF-8 near line 1, byte 8."));
        CPPUNIT_ASSERT(contains(message_for("\xFF\xFE{\0}\0"s), "in UTF-16; it must be in UTF-8"));
        CPPUNIT_ASSERT(contains(message_for("\xFE\xFF\0{\0}"s), "in UTF-16;"));
        CPPUNIT_ASSERT(contains(message_for("{\0}\0"s), "in UTF-16;"));
        CPPUNIT_ASSERT(contains(message_for("\0{\0}"s), "in UTF-16;"));
        CPPUNIT_ASSERT(contains(message_for("{\0\0\0}\0\0\0"s), "in UTF-32;"));
        CPPUNIT_ASSERT(contains(message_for("\xFF\xFE\0\0{\0\0\0"s), "in UTF-32;"));
        CPPUNIT_ASSERT(contains(message_for("\0\0\xFE\xFF\0\0\0{"s), "in UTF-32;"));
        CPPUNIT_ASSERT(contains(message_for("\x1F\x8B\x08\0\0"s), "packed data (gzip)"));
        CPPUNIT_ASSERT(contains(message_for("\x28\xB5\x2F\xFD\x04"), "packed data (Zstandard)"));
        CPPUNIT_ASSERT(contains(message_for("PK\x03\x04\x14"), "packed data (a ZIP archive)"));
        CPPUNIT_ASSERT(contains(message_for("BZh9"), "packed data (bzip2)"));
        CPPUNIT_ASSERT(contains(message_for("\xFD"
                                            "7zXZ\0"s),
                                "packed data (xz)"));
        CPPUNIT_ASSERT(contains(message_for("\x78\x9C\xAB"), "packed data (zlib)"));
        CPPUNIT_ASSERT(contains(message_for("[\"\\u0000\"]"), "U+0000"));
        CPPUNIT_ASSERT(contains(message_for("[1e999]"), "too large"));
        CPPUNIT_ASSERT(contains(message_for("[" + std::string(200, '1') + "]"), "100 characters"));
        CPPUNIT_ASSERT(contains(message_for(nested(33)), "32 levels"));
        CPPUNIT_ASSERT(contains(message_for("[1]x"), "behind the JSON value"));
        CPPUNIT_ASSERT(contains(message_for("[\"a"), "closing quote"));
        CPPUNIT_ASSERT(contains(message_for("[\"\t\"]"), "control character"));
        CPPUNIT_ASSERT(contains(message_for("[\"\\ud800\"]"), "surrogate"));
        CPPUNIT_ASSERT(contains(message_for("[\"\\x\"]"), "backslash"));
        CPPUNIT_ASSERT(contains(message_for("{\"a\" 1}"), "colon"));
        CPPUNIT_ASSERT(contains(message_for("{\"a\":1 2}"), "closing brace"));
        CPPUNIT_ASSERT(contains(message_for("[1"), "before the JSON value is complete"));
        CPPUNIT_ASSERT(contains(message_for("{\"a\":[1,2"), "before the JSON value is complete"));
        for (const char* text : {"[1.]", "[01]", "[-]", "[1-2]", "[1e]", "[99999999999999999999-1]"})
            CPPUNIT_ASSERT(contains(message_for(text), "not written as JSON wants it near line 1, byte 2."));
        CPPUNIT_ASSERT(contains(message_for("[nul"), "before the JSON value is complete"));
    }

    void has_the_place_as_a_value() {
        try {
            static_cast<void>(json::read("[1,\n 2 x]"));
            CPPUNIT_FAIL("read");
        } catch (const json::SyntaxError& error) {
            CPPUNIT_ASSERT_EQUAL(std::size_t{7}, error.offset().value());
            CPPUNIT_ASSERT_EQUAL(error.reason() + " near line 2, byte 4.", std::string(error.what()));
        }
        try {
            static_cast<void>(json::read(" "));
            CPPUNIT_FAIL("read");
        } catch (const json::SyntaxError& error) {
            CPPUNIT_ASSERT(!error.offset() && error.reason().empty());
        }
    }

    void names_the_duplicate_key_cut() {
        CPPUNIT_ASSERT(contains(message_for("{\"body\":1,\"body\":2}"), "the key \"body\" more than once"));
        std::string key;
        for (int count = 0; count < 150; ++count) key += "\xC3\xA4";
        const std::string message = message_for("{\"" + key + "\":1,\"" + key + "\":2}");
        CPPUNIT_ASSERT(contains(message, "\"" + key.substr(0, 200) + "\""));
        CPPUNIT_ASSERT(!contains(message, key.substr(0, 202)));
    }

    void quotes_nothing_else() {
        for (const std::string text :
             {"[\"geheim\" Q]", "{Q:1}", "[\"\\Q\"]", "[1Q]", "[Q9]", "[\"\\ud83dQ\"]", "[\"\\uQQQQ\"]", "Q",
              "[7777e7777]", "[1] Q", "{\"a\"Q"}) {
            const std::string message = message_for(text);
            CPPUNIT_ASSERT(!contains(message, "Q") && !contains(message, "7777") && message != "accepted");
        }
    }

    void finds_duplicates_among_many_keys() {
        for (const int count : {15, 16, 17, 31, 32, 33, 5000, 9999}) {
            std::string text = many_keys(count);
            CPPUNIT_ASSERT_EQUAL(static_cast<std::size_t>(count), json::read(text).root().size());
            text.insert(text.size() - 1, ",\"7\":null");
            CPPUNIT_ASSERT(contains(message_for(text), "the key \"7\" more than once"));
        }
    }

    void counts_the_members_of_each_object() {
        const std::string full = many_keys(10'000);
        CPPUNIT_ASSERT_EQUAL(std::size_t{10'000}, json::read(full).root().size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, json::read("[" + full + "," + full + "]").root().size());
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, json::read("{\"a\":" + full + ",\"b\":1}").root().size());
        for (const std::string text : {"", "[[],{},", "{\"a\":[1],\"b\":"}) {
            const std::string message = message_for(text + many_keys(10'001));
            CPPUNIT_ASSERT_MESSAGE(message, contains(message, "more than 10000 members near line 1, byte "));
        }
        std::string inner_too_large = full;
        inner_too_large.insert(inner_too_large.size() - 1, ",\"x\":{\"y\":[]}");
        CPPUNIT_ASSERT(contains(message_for(inner_too_large), "more than 10000 members"));
    }

    /// A short text may have a fixed number of values; a long one may have more, in proportion to its bytes.
    void counts_values_and_keys() {
        CPPUNIT_ASSERT_EQUAL(std::size_t{99'999}, json::read(array_of(99'999, "0")).root().size());
        const std::string message = message_for(array_of(100'000, "0"));
        CPPUNIT_ASSERT_MESSAGE(message, contains(message, "more than 100000 values and keys"));
        CPPUNIT_ASSERT(contains(message_for(array_of(60'000, "{}")), "values"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{1'000'000}, json::read(array_of(1'000'000, "123456")).root().size());
        CPPUNIT_ASSERT(contains(message_for(array_of(1'000'000, "1234")), "more than 833333 values"));
    }

    /// The reader stops at the limit, and does not report faults after it.
    void looks_at_nothing_behind_too_much() {
        const std::string behind = ", \"a\" \"a\" 1e999 \"\\u0000\" ]}";
        std::string members = many_keys(10'001);
        members.back() = ' ';
        CPPUNIT_ASSERT(contains(message_for(members + behind), "members"));
        CPPUNIT_ASSERT(contains(message_for(array_of(100'001, "0") + behind), "values"));
        CPPUNIT_ASSERT(contains(message_for(std::string(33, '[') + behind), "levels"));
        CPPUNIT_ASSERT(contains(message_for("{\"x\":1" + behind), "too large"));
    }

    /// An algorithm that is worse than linear would take minutes for this text.
    void takes_time_in_proportion_to_the_escapes() {
        constexpr std::size_t count = 4'000'000;
        std::string text = "\"";
        for (std::size_t number = 0; number < count; ++number) text += "\\\\";
        CPPUNIT_ASSERT(contains(message_for(text), "closing quote"));
        CPPUNIT_ASSERT_EQUAL(count, json::read(text + '"').root().text().size());
    }

    /// The reader remembers the shapes of texts. What it remembers of one text must not show in the next
    /// text.
    void keeps_texts_of_one_shape_apart() {
        const std::vector<std::string> texts = {R"({"a":"x","b":[1,{"c":"y","d":2}],"e":true})",
                                                R"({"aa":"","f":[-2.50,{"":"zz","g":1e2}],"h":true})",
                                                R"({"a":"x","b":[1,{"c":"y","d":2}],"e":false})",
                                                R"({"a":"x","b":[1,{"c":"y","d":2}],"e":null})",
                                                R"({"a":"x","b":["1",{"c":"y","d":2}],"e":true})",
                                                R"({"a":"\n","b":[1,{"c":"y","d":2}],"e":true})",
                                                R"({"a":"\t","b":[1,{"c":"y","d":2}],"e":true})"};
        for (int round = 0; round < 3; ++round) {
            for (const std::string& text : texts) CPPUNIT_ASSERT_EQUAL(text, rewritten(text));
        }
        CPPUNIT_ASSERT(contains(message_for(R"({"a":"x","b":[1,{"c":"y","c":2}],"e":true})"), "key \"c\""));
        CPPUNIT_ASSERT_EQUAL(texts.front(), rewritten(texts.front()));
    }

    void reads_more_shapes_than_it_remembers() {
        for (int round = 0; round < 3; ++round) {
            for (std::size_t items = 1; items <= 100; items += round == 1 ? 3 : 1) {
                const std::string text = array_of(items, "\"" + std::to_string(round) + "\"");
                CPPUNIT_ASSERT_EQUAL(text, rewritten(text));
            }
            // The following texts are long (80 KB), so the reader reaches the limit on the bytes that it
            // remembers before the limit on the number of texts that it remembers.
            for (std::size_t items = 20'000; items <= 20'020; ++items) {
                const std::string text = array_of(items, "\"" + std::to_string(round) + "\"");
                CPPUNIT_ASSERT_EQUAL(text, rewritten(text));
            }
        }
    }

    void gives_values() {
        const json::Document document =
            json::read(R"({"s":"\u00e4","n":-1.50,"t":true,"f":false,"z":null,"a":[1,[]]})");
        const json::Value root = document.root();
        CPPUNIT_ASSERT(root.is(json::Type::object));
        CPPUNIT_ASSERT_EQUAL(std::size_t{6}, root.size());
        CPPUNIT_ASSERT_EQUAL(std::string("\xC3\xA4"), std::string(root.at("s").text()));
        CPPUNIT_ASSERT_EQUAL(std::string("-1.50"), std::string(root.at("n").text()));
        CPPUNIT_ASSERT(root.at("t").boolean());
        CPPUNIT_ASSERT(!root.at("f").boolean());
        CPPUNIT_ASSERT(root.at("z").is(json::Type::null));
        CPPUNIT_ASSERT_EQUAL(std::size_t{2}, root.at("a").size());
        std::string types;
        for (const json::Value item : root.at("a").items()) types += item.is(json::Type::array) ? 'a' : 'n';
        CPPUNIT_ASSERT_EQUAL(std::string("na"), types);
    }

    void finds_members() {
        const json::Document document = json::read(R"({"a":{"x":[{"b":0}]},"b":2,"":3})");
        const json::Value root = document.root();
        std::string keys;
        for (const auto& [key, member] : root.members()) keys.append(key).append("|");
        CPPUNIT_ASSERT_EQUAL(std::string("a|b||"), keys);
        CPPUNIT_ASSERT_EQUAL(std::string("2"), std::string(root.find("b")->text()));
        CPPUNIT_ASSERT_EQUAL(std::string("3"), std::string(root.find("")->text()));
        CPPUNIT_ASSERT(!root.find("x"));
        CPPUNIT_ASSERT_THROW(static_cast<void>(root.at("x")), std::out_of_range);
        CPPUNIT_ASSERT(!json::read("{}").root().find("a"));
    }

    void finds_members_in_any_turn() {
        const json::Document document = json::read(R"({"a": [1, {"b": 2}], "b": 3, "c": {}, "d": 4})");
        const auto ask = [](json::MembersInTurn& members, std::string_view keys) {
            std::string found;
            for (std::size_t place = 0; place < keys.size(); ++place) {
                const auto member = members.find(keys.substr(place, 1));
                found += !member ? "-" : member->is(json::Type::number) ? std::string(member->text()) : "+";
            }
            return found;
        };
        for (const auto& [keys, found] : std::vector<std::pair<std::string, std::string>>{
                 {"abcd", "+3+4"}, {"dcba", "4+3+"}, {"bb", "33"}, {"xaxdxa", "-+-4-+"}, {"dad", "4+4"}}) {
            json::MembersInTurn members(document.root());
            CPPUNIT_ASSERT_EQUAL(found, ask(members, keys));
        }
        CPPUNIT_ASSERT_THROW(json::MembersInTurn(document.root().at("b")), std::logic_error);
    }

    void orders_positions() {
        const json::Document document = json::read(R"({"a":[1,{"b":2}],"c":3})");
        const json::Value root = document.root();
        const json::Value array = root.at("a");
        const json::Value last = (*std::next(array.items().begin())).at("b");
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, root.position());
        CPPUNIT_ASSERT(root.position() < array.position() && array.position() < last.position());
        CPPUNIT_ASSERT(last.position() < array.end_position());
        CPPUNIT_ASSERT(array.end_position() <= root.at("c").position());
        CPPUNIT_ASSERT(root.at("c").position() < root.end_position());
    }

    void refuses_wrong_questions() {
        const json::Document document = json::read("[1]");
        CPPUNIT_ASSERT_THROW(static_cast<void>(document.root().text()), std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>(document.root().boolean()), std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>(document.root().members()), std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>((*document.root().items().begin()).size()), std::logic_error);
        CPPUNIT_ASSERT_THROW(static_cast<void>((*document.root().items().begin()).items()), std::logic_error);
    }

    void survives_moving() {
        json::Document first = json::read("[\"a\"]");
        const json::Document second = std::move(first);
        CPPUNIT_ASSERT_EQUAL(std::string("a"), std::string((*second.root().items().begin()).text()));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(JsonReaderTest);

}  // namespace data_import
