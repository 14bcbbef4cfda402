// util/text: UTF-8 and percent-encoding.
#include "base/util/text.h"

#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <optional>
#include <string>
#include <vector>

#include "../../table.h"

namespace data_import {

namespace {

using namespace std::string_literals;

const std::vector<std::string> well_formed = {"",
                                              "a",
                                              "\0"s,
                                              "\x7F",
                                              "\xC2\x80",
                                              "\xDF\xBF",
                                              "\xE0\xA0\x80",
                                              "\xED\x9F\xBF",
                                              "\xEE\x80\x80",
                                              "\xEF\xBF\xBF",
                                              "\xF0\x90\x80\x80",
                                              "\xF4\x8F\xBF\xBF",
                                              "12345678\xC3\xA4"
                                              "12345678\xF0\x9F\x98\x80",
                                              "\xEF\xBB\xBF",
                                              "1234567\xE2\x82\xAC"};

const std::vector<std::string> malformed = {"\x80",
                                            "\xBF",
                                            "\xC0\x80",
                                            "\xC1\xBF",
                                            "\xC2",
                                            "\xC2 ",
                                            "\xE0\x9F\xBF",
                                            "\xE0\xA0",
                                            "\xED\xA0\x80",
                                            "\xED\xBF\xBF",
                                            "\xEF\xBF",
                                            "\xE2\x82 ",
                                            "\xF0\x8F\xBF\xBF",
                                            "\xF0\x90\x80",
                                            "\xF4\x90\x80\x80",
                                            "\xF5\x80\x80\x80",
                                            "\xF8\x88\x80\x80\x80",
                                            "\xFE",
                                            "\xFF",
                                            "12345678\xFF",
                                            "1234567\xC3",
                                            "\xC3\xA4\xA4",
                                            "12345678123456\xE2\x82"};

const std::vector<std::string> blank_texts = {"",
                                              " ",
                                              "\t\n\v\f\r ",
                                              "\xC2\x85",
                                              "\xC2\xA0",
                                              "\xE1\x9A\x80",
                                              "\xE2\x80\x80\xE2\x80\x8A",
                                              "\xE2\x80\xA8",
                                              "\xE2\x80\xA9",
                                              "\xE2\x80\xAF",
                                              "\xE2\x81\x9F",
                                              "\xE3\x80\x80",
                                              " \xC2\xA0 "};

const std::vector<std::string> visible_texts = {"a",
                                                " a ",
                                                "\xE2\x80\x8B",  // zero width space
                                                "\xEF\xBB\xBF",  // byte order mark
                                                "\xE1\xA0\x8E",  // Mongolian vowel separator
                                                "\0"s,
                                                "\x1F",
                                                "\xC2\x84",
                                                "\xC3\xA4",
                                                "\xF0\x9F\x98\x80"};

struct Decoding {
    std::string segment;
    std::optional<std::string> decoded;
};

const std::vector<Decoding> decodings = {{"", ""},
                                         {"abc", "abc"},
                                         {"a%20b", "a b"},
                                         {"a+b", "a+b"},
                                         {"%2F", "/"},
                                         {"%2f%3D", "/="},
                                         {"%C3%A4", "\xC3\xA4"},
                                         {"%c3%a4x", "\xC3\xA4x"},
                                         {"%25", "%"},
                                         {"%2525", "%25"},
                                         {"\xC3\xA4", "\xC3\xA4"},
                                         {"%", std::nullopt},
                                         {"%2", std::nullopt},
                                         {"a%", std::nullopt},
                                         {"%zz", std::nullopt},
                                         {"%2g", std::nullopt},
                                         {"%g2", std::nullopt},
                                         {"%%20", std::nullopt},
                                         {"% 20", std::nullopt},
                                         {"%+1", std::nullopt},
                                         {"%00", std::nullopt},
                                         {"a\0b"s, std::nullopt},
                                         {"%FF", std::nullopt},
                                         {"%C3", std::nullopt},
                                         {"%ED%A0%80", std::nullopt},
                                         {"\xFF", std::nullopt}};

}  // namespace

class TextTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TextTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_encodings);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_blanks);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_decodings);
    CPPUNIT_TEST(lowers_ascii_only);
    CPPUNIT_TEST(counts_code_points);
    CPPUNIT_TEST(cuts_at_code_points);
    CPPUNIT_TEST(finds_the_well_formed_start);
    CPPUNIT_TEST(finds_control_characters);
    CPPUNIT_TEST(finds_characters_that_change_the_direction);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_encodings(TestSuiteBuilderContextType& context) {
        for (const std::string& text : well_formed) {
            tests::add_row(context, "UTF-8 " + text, [text] { CPPUNIT_ASSERT(util::is_utf8(text)); });
        }
        for (const std::string& text : malformed) {
            tests::add_row(context, "no UTF-8 " + text, [text] { CPPUNIT_ASSERT(!util::is_utf8(text)); });
        }
    }

    static void add_blanks(TestSuiteBuilderContextType& context) {
        for (const std::string& text : blank_texts) {
            tests::add_row(context, "blank " + text, [text] { CPPUNIT_ASSERT(util::is_blank(text)); });
        }
        for (const std::string& text : visible_texts) {
            tests::add_row(context, "not blank " + text, [text] { CPPUNIT_ASSERT(!util::is_blank(text)); });
        }
    }

    static void add_decodings(TestSuiteBuilderContextType& context) {
        for (const Decoding& row : decodings) {
            tests::add_row(context, "percent " + row.segment,
                           [row] { CPPUNIT_ASSERT(row.decoded == util::percent_decode(row.segment)); });
        }
    }

    void finds_control_characters() {
        for (const std::string text : {"\x01", "a\x1F", "\x7F", "\xC2\x80", "\xC2\x9F", "\n"})
            CPPUNIT_ASSERT_MESSAGE(text, util::has_control_character(text));
        for (const std::string text : {"", " ", "~", "\xC2\xA0", "\xC3\x80", "\xE2\x80\xAE"})
            CPPUNIT_ASSERT_MESSAGE(text, !util::has_control_character(text));
    }

    void finds_characters_that_change_the_direction() {
        for (const std::string text : {"\xD8\x9C", "\xE2\x80\x8E", "a\xE2\x80\x8F", "\xE2\x80\xAA",
                                       "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x81\xA9"})
            CPPUNIT_ASSERT_MESSAGE(text, util::has_direction_control(text));
        // Hebrew, a zero-width joiner, a narrow space
        for (const std::string text : {"", "\xD7\x90", "\xE2\x80\x8D", "\xE2\x80\xAF", "\x0A"})
            CPPUNIT_ASSERT_MESSAGE(text, !util::has_direction_control(text));
    }

    void lowers_ascii_only() {
        CPPUNIT_ASSERT_EQUAL(std::string("az09 [`{ \xC3\x84"), util::lowered("Az09 [`{ \xC3\x84"));
    }

    void counts_code_points() {
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, util::count_code_points(""));
        CPPUNIT_ASSERT_EQUAL(std::size_t{3}, util::count_code_points("abc"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{4},
                             util::count_code_points("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"));
    }

    void cuts_at_code_points() {
        const std::string text =
            "a\xC3\xA4\xE2\x82\xAC"
            "b";
        CPPUNIT_ASSERT_EQUAL(std::string(), std::string(util::first_code_points(text, 0)));
        CPPUNIT_ASSERT_EQUAL(text.substr(0, 3), std::string(util::first_code_points(text, 2)));
        CPPUNIT_ASSERT_EQUAL(text.substr(0, 6), std::string(util::first_code_points(text, 3)));
        CPPUNIT_ASSERT_EQUAL(text, std::string(util::first_code_points(text, 99)));
    }

    void finds_the_well_formed_start() {
        CPPUNIT_ASSERT_EQUAL(std::size_t{0}, util::utf8_prefix("\xFF"));
        CPPUNIT_ASSERT_EQUAL(std::size_t{11}, util::utf8_prefix("123456789\xC3\xA4\xC3"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(TextTest);

}  // namespace data_import
