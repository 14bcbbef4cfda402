// Texts with places for values, lists of alternatives for sentences, and the lines of a text that comes in
// pieces.
#include <cppunit/TestFixture.h>
#include <cppunit/extensions/HelperMacros.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/texts/texts.h"
#include "base/util/joined.h"
#include "base/util/line_splitter.h"

namespace data_import {

namespace {

/// Splits the text that comes in `pieces` into lines. Returns each line as `TEXT/BYTES|`: TEXT is what the
/// splitter keeps of the line, at most `longest` bytes; BYTES is the length of the line in the input, its LF
/// included. ` blank`, ` long` or ` cut` stands before the bar of a line that is blank, is too long or has no
/// LF.
std::string lines_of(std::vector<std::string_view> pieces, std::size_t longest) {
    std::size_t taken = 0;
    util::LineSplitter splitter([&] { return taken < pieces.size() ? pieces[taken++] : std::string_view(); },
                                longest);
    std::string all;
    for (util::LineSplitter::Line line; splitter.next(line);) {
        all += line.text + "/" + std::to_string(line.bytes) + (line.is_blank ? " blank" : "") +
               (line.is_too_long ? " long" : "") + (line.is_cut ? " cut" : "") + "|";
    }
    return all;
}

}  // namespace

class TextsTest : public CppUnit::TestFixture {
    CPPUNIT_TEST_SUITE(TextsTest);
    CPPUNIT_TEST(puts_values_in_their_places);
    CPPUNIT_TEST(indents_values_as_their_places);
    CPPUNIT_TEST(refuses_a_place_without_a_value);
    CPPUNIT_TEST(names_alternatives);
    CPPUNIT_TEST(splits_pieces_into_lines);
    CPPUNIT_TEST_SUITE_END();

public:
    void puts_values_in_their_places() {
        CPPUNIT_ASSERT_EQUAL(std::string("a value and value"),
                             texts::filled("a @ONE@ and @ONE@", {{"ONE", "value"}}));
        CPPUNIT_ASSERT_EQUAL(std::string("me@host @ @@ USER:PASSWORD@]HOST @One@"),
                             texts::filled("me@host @ @@ USER:PASSWORD@]HOST @One@", {}));
        CPPUNIT_ASSERT_EQUAL(std::string("@TWO@"), texts::filled("@ONE@", {{"ONE", "@TWO@"}}));
    }

    void indents_values_as_their_places() {
        CPPUNIT_ASSERT_EQUAL(std::string("x:\n  a\n\n  b\n  \ny"),
                             texts::filled("x:\n  @ONE@\n  @NONE@\ny", {{"ONE", "a\n\nb"}, {"NONE", ""}}));
        CPPUNIT_ASSERT_EQUAL(std::string("  x a\nb"), texts::filled("  x @ONE@", {{"ONE", "a\nb"}}));
    }

    void refuses_a_place_without_a_value() {
        CPPUNIT_ASSERT_THROW(static_cast<void>(texts::filled("@ONE@", {{"TWO", ""}})), std::logic_error);
    }

    void names_alternatives() {
        using Words = std::vector<std::string_view>;
        CPPUNIT_ASSERT_EQUAL(std::string("a, b or c"), util::alternatives(Words{"a", "b", "c"}));
        CPPUNIT_ASSERT_EQUAL(std::string("a or b"), util::alternatives(Words{"a", "b"}));
        CPPUNIT_ASSERT_EQUAL(std::string("a"), util::alternatives(Words{"a"}));
        CPPUNIT_ASSERT_EQUAL(std::string(), util::alternatives(Words{}));
    }

    void splits_pieces_into_lines() {
        CPPUNIT_ASSERT_EQUAL(std::string(), lines_of({}, 9));
        CPPUNIT_ASSERT_EQUAL(std::string("a/2|bc/3|/1 blank| \r/3 blank|dd/2 cut|"),
                             lines_of({"a\nb", "c\n\n", " \r\nd", "d"}, 9));
        CPPUNIT_ASSERT_EQUAL(std::string("ab/4 long|  /4 long|cd/3|"), lines_of({"abc\n  ", "x\ncd\n"}, 2));
    }
};

CPPUNIT_TEST_SUITE_REGISTRATION(TextsTest);

}  // namespace data_import
