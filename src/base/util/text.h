// Small functions on UTF-8 text and on percent-encoded path segments.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::util {

/// Returns true for well-formed UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view text);

/// Returns the number of bytes at the start of `text` that are well-formed UTF-8.
[[nodiscard]] std::size_t utf8_prefix(std::string_view text);

/// Returns the number of Unicode code points of well-formed UTF-8.
[[nodiscard]] std::size_t count_code_points(std::string_view text);

/// Returns the first `count` code points of well-formed UTF-8, or all of it if it is shorter.
[[nodiscard]] std::string_view first_code_points(std::string_view text, std::size_t count);

/// Returns true for an empty text and for one made of Unicode white space only (White_Space property).
[[nodiscard]] bool is_blank(std::string_view text);

/// Returns true if a well-formed text has a control character: C0, DEL or C1 (U+0080 to U+009F).
[[nodiscard]] bool has_control_character(std::string_view text);

/// Returns true if a well-formed text has one of the invisible characters that change the direction of the
/// text around them: U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069.
[[nodiscard]] bool has_direction_control(std::string_view text);

/// Returns the text without blanks, tabs and carriage returns around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Returns the text with its ASCII letters in lower case.
[[nodiscard]] std::string lowered(std::string_view text);
/// Returns the text with its ASCII letters in capitals.
[[nodiscard]] std::string raised(std::string_view text);

/// Decodes one path segment. Returns nothing for a broken escape, a decoded U+0000 or a result that is not
/// UTF-8. `+` stays a plus sign.
[[nodiscard]] std::optional<std::string> percent_decode(std::string_view segment);

/// Encodes a text as one path segment or query value: all characters except RFC 3986's unreserved ones.
[[nodiscard]] std::string percent_encode(std::string_view text);

}  // namespace data_import::util
