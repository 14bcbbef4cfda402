// Checks of the form of strings, as pure functions. Private to the folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace data_import::schema {

/// Returns true for at least one character, all of them ASCII digits.
[[nodiscard]] bool is_digits(std::string_view text);

/// Returns true for at least one character, all of them ASCII letters or digits.
[[nodiscard]] bool is_alphanumeric(std::string_view text);

/// Returns true for at most (`precision` - `scale`) digits, a point, and `scale` digits. A minus sign may
/// stand in front.
[[nodiscard]] bool is_fixed_decimal(std::string_view text, std::size_t precision, std::size_t scale);

/// Returns whether the text is `local@domain`. `local` is a dot-string of RFC 5321, at most 64 bytes.
/// `domain` has at least two labels of letters, digits and inner hyphens, at most 63 bytes each. Both may
/// have characters outside ASCII (RFC 6531).
[[nodiscard]] bool is_email(std::string_view text);

/// Returns true for `+` and 7 to 15 digits, the first not 0.
[[nodiscard]] bool is_phone(std::string_view text);

/// Returns true for two ASCII capitals.
[[nodiscard]] bool is_country_code(std::string_view text);

/// Returns true if no segment between slashes is `.` or `..`, however often the text is percent-decoded.
[[nodiscard]] bool is_url_text(std::string_view text);

/// Returns true for a document path of any length (contract, section 1.5).
[[nodiscard]] bool is_document_path(std::string_view text);

// The forms as regular expressions that all common engines read: ECMA-262 without lookahead, lookbehind and
// \u. A text of white space alone may match them; it is refused as `blank`.

/// Returns a regular expression for everything that is_document_path() checks.
[[nodiscard]] std::string document_path_pattern();

/// Returns a regular expression for texts in which no segment between slashes is `.` or `..`. Segments with
/// percent-encoded dots, such as `%2e`, match the expression, although is_url_text() refuses them.
[[nodiscard]] std::string url_text_pattern();

/// Returns a regular expression for what is_email() checks, except for the greatest lengths of the parts (64
/// and 63 bytes).
[[nodiscard]] std::string email_pattern();

}  // namespace data_import::schema
