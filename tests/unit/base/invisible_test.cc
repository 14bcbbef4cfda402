// Characters that nobody sees.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../../table.h"
#include "base/util/invisible.h"
#include "base/util/text.h"

namespace data_import {

namespace {

struct Row {
    std::string text;
    std::string sentence;  ///< empty: all characters are visible
};

const std::vector<Row> rows = {
    {"", ""},
    {"4711", ""},
    {"DE 12-3", ""},
    {"Zähler 7 \U0001F600", ""},
    {"\u0600", ""},
    {"4711\u00A0", "ends with U+00A0 (no-break space)"},
    {"4711\u00A0\u200B", "ends with U+00A0 (no-break space)"},
    {"4711\u200B ", "ends with U+200B (zero-width space)"},
    {"4711 ", "ends with U+0020 (space)"},
    {" 4711", "begins with U+0020 (space)"},
    {"  \u00A0", "begins with U+00A0 (no-break space)"},
    {" 4711\u00A0", "ends with U+00A0 (no-break space)"},
    {"\uFEFF4711", "begins with U+FEFF (byte order mark)"},
    {"47\u200B11", "holds U+200B (zero-width space)"},
    {"47\u00A0"
     "11",
     "holds U+00A0 (no-break space)"},
    {"47\u00AD"
     "11",
     "holds U+00AD (soft hyphen)"},
    {"\u200E4711\u200F", "begins with U+200E (left-to-right mark)"},
    {"47\u202E11", "holds U+202E"},
    {"4711\u202F", "ends with U+202F (narrow no-break space)"},
    {"4711\u2069", "ends with U+2069"},
    {"4711\t", "ends with U+0009 (tab)"},
    {"47\n11", "holds U+000A (line feed)"},
    {"47\u0085"
     "11",
     "holds U+0085"},
    {"47\u2028"
     "11",
     "holds U+2028"},
    {"47\u3000"
     "11",
     "holds U+3000 (ideographic space)"},
    {"47\u2060"
     "11",
     "holds U+2060 (word joiner)"},
    {"47\u3164"
     "11",
     "holds U+3164"},
    {"47\u2800"
     "11",
     "holds U+2800"},
    {"4711\uFE0F", "ends with U+FE0F"},
    {"47\U000E0041"
     "11",
     "holds U+E0041"},
    {"47\U000E01EF"
     "11",
     "holds U+E01EF"},
};

}  // namespace

class InvisibleTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(InvisibleTest);
    CPPUNIT_TEST_SUITE_ADD_CUSTOM_TESTS(add_rows);
    CPPUNIT_TEST(ranges_are_sorted_and_part);
    CPPUNIT_TEST(all_white_space_and_controls_are_invisible);
    CPPUNIT_TEST(leaves_them_out);
    CPPUNIT_TEST_SUITE_END();

public:
    static void add_rows(TestSuiteBuilderContextType& context) {
        for (const Row& row : rows) {
            tests::add_row(context, "\"" + row.text + "\"", [row] {
                const auto found = util::find_invisible(row.text);
                CPPUNIT_ASSERT_EQUAL(row.sentence, found ? util::to_text(*found) : std::string());
                CPPUNIT_ASSERT(!util::find_invisible(util::without_invisible(row.text)));
            });
        }
    }

    void ranges_are_sorted_and_part() {
        char32_t before = 0;
        for (const util::CodePointRange& range : util::invisible_ranges()) {
            CPPUNIT_ASSERT(range.first == 0 || range.first > before + 1);
            CPPUNIT_ASSERT(range.first <= range.last);
            before = range.last;
        }
    }

    void all_white_space_and_controls_are_invisible() {
        for (char32_t point = 1; point < 0x800; ++point) {
            const std::string text = point < 0x80 ? std::string{static_cast<char>(point)}
                                                  : std::string{static_cast<char>(0xC0U | point >> 6U),
                                                                static_cast<char>(0x80U | (point & 0x3FU))};
            const bool is_known = util::has_control_character(text) || util::has_direction_control(text) ||
                                  (util::is_blank(text) && point != ' ');
            CPPUNIT_ASSERT(!is_known || util::is_invisible(point));
        }
    }

    void leaves_them_out() {
        CPPUNIT_ASSERT_EQUAL(std::string("DE 12"), util::without_invisible(" D\u200BE 12\u00A0 "));
        CPPUNIT_ASSERT_EQUAL(std::string(), util::without_invisible(" \u00A0"));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(InvisibleTest);

}  // namespace data_import
