// Makes text from outside safe for a terminal or a spreadsheet. A terminal obeys control characters, and
// direction controls reorder the text around them; a spreadsheet calculates formulas.
#pragma once

#include <string>
#include <string_view>

namespace data_import::util {

/// Returns the text in one line: control characters (C0, DEL, C1) and direction controls become blanks, bytes
/// that are no UTF-8 become U+FFFD.
[[nodiscard]] std::string printable(std::string_view text);

/// Returns the text as printable() does, but keeps line ends.
[[nodiscard]] std::string printable_lines(std::string_view text);

/// Writes C1 and direction controls as `\uXXXX`, so that JSON keeps its meaning, and bytes that are no UTF-8
/// as U+FFFD. The rest, also line ends and colours, stays as it is.
[[nodiscard]] std::string with_escaped_controls(std::string_view text);

/// Returns the text, with an apostrophe in front if a spreadsheet would take it for a formula.
[[nodiscard]] std::string without_formula(std::string_view text);

/// Writes a field of CSV for people: printable, in quotes if it needs them, and with an apostrophe in front
/// if a spreadsheet would take it for a formula.
[[nodiscard]] std::string spreadsheet_field(std::string_view text);

}  // namespace data_import::util
