// Text of others on its way to a terminal or a spreadsheet. A terminal obeys control characters, and
// direction controls reorder what stands around them; a spreadsheet calculates formulas.
#pragma once

#include <string>
#include <string_view>

namespace data_import::util {

/// The text in one line: control characters (C0, DEL, C1) and direction controls are blanks, bytes that are
/// no UTF-8 are U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);

/// The same with its line ends.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// C1 and direction controls as `\uXXXX`, so that JSON keeps its meaning, and bytes that are no UTF-8 as
/// U+FFFD. The rest, with line ends and colours, is left alone.
[[nodiscard]] std::string with_escaped_controls(std::string_view text);

/// The text, with an apostrophe in front if a spreadsheet would take it for a formula.
[[nodiscard]] std::string without_formula(std::string_view text);

/// A field of CSV for people: printable, in quotes where it needs them, and with an apostrophe in front of
/// what a spreadsheet would take for a formula.
[[nodiscard]] std::string spreadsheet_field(std::string_view text);

}  // namespace data_import::util
