// The rules of texts that the database stores, with the words of data_import.text_problem
// (sql/schema/01-foundation.sql). Each function returns the fault, such as `is blank`, or nothing for a right
// text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::util {

/// Checks a text that may have several lines.
[[nodiscard]] std::optional<std::string> check_text(std::string_view text, std::size_t longest);
/// Checks a text in one line.
[[nodiscard]] std::optional<std::string> check_line(std::string_view text, std::size_t longest);
/// Checks a name that, unlike a stored name, may have blanks at its ends.
[[nodiscard]] std::optional<std::string> check_path_name(std::string_view text, std::size_t longest);
/// Checks a name such as a code or a number, which may become a part of a path.
[[nodiscard]] std::optional<std::string> check_stored_name(std::string_view text, std::size_t longest);

/// Returns whether a segment between slashes is `.` or `..`.
[[nodiscard]] bool has_dot_segment(std::string_view text);

}  // namespace data_import::util
