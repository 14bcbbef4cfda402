// The rules of texts that the database stores, with the words of data_import.text_problem
// (sql/schema/01-foundation.sql). Each function returns the fault, such as `is blank`, or nothing for a right
// text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::util {

/// Checks a text, which may have several lines and at most `longest` code points. The text must not be empty
/// or blank. Returns the fault; nothing if there is none.
[[nodiscard]] std::optional<std::string> check_text(std::string_view text, std::size_t longest);
/// Checks a text that has to stand on one line. Returns the fault as check_text() does. Control characters,
/// such as line ends, and invisible characters that change the direction of text are faults, too.
[[nodiscard]] std::optional<std::string> check_line(std::string_view text, std::size_t longest);
/// Checks a name that may become a part of a path. Returns the fault as check_line() does. A segment `.`
/// or `..` between slashes is a fault, too. The name may begin and end with blanks.
[[nodiscard]] std::optional<std::string> check_path_name(std::string_view text, std::size_t longest);
/// Checks a name, such as a supplier's code or an account number, of at most `longest` code points. Returns
/// the fault, such as `is blank`; nothing if there is none. Finds the faults that check_path_name() finds,
/// and a blank at the beginning or the end.
[[nodiscard]] std::optional<std::string> check_stored_name(std::string_view text, std::size_t longest);

/// Returns whether a segment between slashes is `.` or `..`.
[[nodiscard]] bool has_dot_segment(std::string_view text);

}  // namespace data_import::util
