// Classes of characters for the search for numbers of cards and accounts. Private to the folder.
#pragma once

#include <string_view>
#include <vector>

namespace data_import::vendor {

struct Character {
    char32_t code;
    std::string_view bytes;
    bool is_masked = false;
};

/// The code points of well-formed UTF-8; views are those of `text`.
[[nodiscard]] std::vector<Character> characters_of(std::string_view text);

/// A decimal digit of ASCII or of another script in use.
[[nodiscard]] bool is_digit(char32_t code);

/// A letter A to Z or a to z, also of the full-width forms.
[[nodiscard]] bool is_letter(char32_t code);

[[nodiscard]] bool is_letter_or_digit(char32_t code);

/// The characters that people and programs put between the digits of one number: white space, hyphens and
/// dashes, dots, slashes, underscores, and invisible characters.
[[nodiscard]] bool is_separator(char32_t code);

/// A character that shows something of a secret: none of ASCII's punctuation, no control character, no
/// separator.
[[nodiscard]] bool is_visible(char32_t code);

/// 0 to 9 for a digit, 10 to 35 for a letter.
[[nodiscard]] unsigned value_of(char32_t code);

}  // namespace data_import::vendor
