// data-importctl checks numbers, codes, names and reasons before it asks the database. It refuses the same
// texts as the functions of sql/.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <functional>
#include <string>
#include <vector>

#include "../../support/world.h"
#include "../../table.h"
#include "base/util/invisible.h"
#include "tools/ctl/values.h"

namespace data_import::tests {

namespace {

struct Rule {
    const char* what;
    std::string sql;
    std::function<std::optional<std::string>(std::string_view)> check;
};

const std::vector<Rule>& rules() {
    static const std::vector<Rule> all = {
        {"supplier code", "data_import.text_problem('name', $1, 64)", ctl::check_supplier_code},
        {"external account number", "data_import.text_problem('name', $1, 128)",
         ctl::check_external_account_number},
        {"number on the platform", "data_import.text_problem('name', $1, 64)",
         ctl::check_service_account_number},
        {"name", "data_import.text_problem('line', $1, 255)", ctl::check_name},
        {"reason", "data_import.text_problem('text', $1, 4096)", ctl::check_reason},
    };
    return all;
}

std::string utf8(char32_t point) {
    std::string text;
    if (point < 0x80) return {static_cast<char>(point)};
    if (point < 0x800) {
        text += static_cast<char>(0xC0U | point >> 6U);
    } else {
        text += static_cast<char>(0xE0U | point >> 12U);
        text += static_cast<char>(0x80U | (point >> 6U & 0x3FU));
    }
    text += static_cast<char>(0x80U | (point & 0x3FU));
    return text;
}

/// Texts of several lengths and with path segments, and each character of Latin-1 and of general punctuation,
/// alone and between others.
std::vector<std::string> texts() {
    std::vector<std::string> all = {
        "",       "4711", ".",    "..",  "...", "./a", "../a", "a/.",   "a/..",   "a/./b",
        "a/../b", "a//b", "/",    "/.",  "a.",  ".a",  "a..b", "a\\..", "%2e%2e", "A \xF0\x9F\x98\x80",
        " a",     "a ",   "\t\n", "a\nb"};
    for (const auto& [first, last] :
         {std::pair(0x01, 0xFF), std::pair(0x61A, 0x61E), std::pair(0x1680, 0x1680),
          std::pair(0x2000, 0x206F), std::pair(0x2FFF, 0x3001), std::pair(0xFEFF, 0xFEFF)}) {
        for (int point = first; point <= last; ++point) {
            all.push_back(utf8(static_cast<char32_t>(point)));
            all.push_back("a" + utf8(static_cast<char32_t>(point)) + "b");
        }
    }
    for (const std::size_t length : {64, 65, 128, 129, 255, 256, 4096, 4097}) {
        all.emplace_back(length, 'x');
        std::string wide;
        for (std::size_t count = 0; count < length; ++count) wide += "\xC3\xA4";
        all.push_back(wide);
    }
    return all;
}

}  // namespace

class NamesTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(NamesTest);
    CPPUNIT_TEST(ctl_and_database_say_the_same);
    CPPUNIT_TEST(programs_and_database_have_the_same_invisible_characters);
    CPPUNIT_TEST(programs_and_database_name_invisible_characters_alike);
    CPPUNIT_TEST_SUITE_END();

public:
    void ctl_and_database_say_the_same() {
        AdminSession& database = world().database();
        for (const Rule& rule : rules()) {
            for (const std::string& text : texts()) {
                CPPUNIT_ASSERT_EQUAL_MESSAGE(rule.what + (" " + printable(text)),
                                             rule.check(text).value_or(""),
                                             database.value("SELECT coalesce(" + rule.sql + ", '')", {text}));
            }
        }
    }

    /// Tests the first and the last character of each range, and the characters next to them.
    void programs_and_database_have_the_same_invisible_characters() {
        AdminSession& database = world().database();
        for (const auto& [first, last] : util::invisible_ranges()) {
            for (const auto point : {first, last, char32_t(first - 1), char32_t(last + 1)}) {
                if (point == 0 || point > 0x10FFFF) continue;
                const std::string number = std::to_string(static_cast<unsigned>(point));
                CPPUNIT_ASSERT_EQUAL_MESSAGE(
                    number, std::string(util::is_invisible(point) ? "t" : "f"),
                    database.value("SELECT chr($1::integer) ~ data_import.invisible_characters()", {number}));
            }
        }
    }

    void programs_and_database_name_invisible_characters_alike() {
        AdminSession& database = world().database();
        for (const std::string text : {"4711", "4711\u200B", "\uFEFF4711", "47\u00AD11", "  \u00A04711",
                                       "4711\u2060 \u00A0", "4711\U000E0001"}) {
            const auto found = util::find_invisible(text);
            const std::string sentence =
                database.value("SELECT coalesce(data_import.invisible_problem($1), '')", {text});
            if (found && found->point != ' ')
                CPPUNIT_ASSERT_MESSAGE(sentence,
                                       util::to_text(*found).starts_with(sentence) && !sentence.empty());
            CPPUNIT_ASSERT_EQUAL(util::with_invisible_named(text),
                                 database.value("SELECT data_import.with_invisible_named($1)", {text}));
        }
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(NamesTest);

}  // namespace data_import::tests
