// Invisible characters, and those that look like a space. They come with texts that are copied from web
// pages, PDF files and spreadsheets.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace data_import::util {

/// A range of code points; `first` and `last` belong to it.
struct CodePointRange {
    char32_t first;
    char32_t last;
};

/// Returns all invisible characters in the order of their code points: controls, white space other than
/// U+0020, characters that Unicode lets programs ignore (soft hyphen, zero-width characters, direction marks,
/// variation selectors, fillers, tags), and other format characters and blanks.
[[nodiscard]] std::span<const CodePointRange> invisible_ranges();

[[nodiscard]] bool is_invisible(char32_t point);

/// The place of a character in a text. `beginning`: nothing before the character is visible; `end`: nothing
/// after it is visible.
enum class TextPlace { beginning, inside, end };

struct InvisibleCharacter {
    char32_t point;
    TextPlace place;
};

/// Returns the first invisible character of well-formed UTF-8; nothing if there is none. A space (U+0020)
/// counts only at the beginning or the end of the text, and only if there is no other invisible character.
[[nodiscard]] std::optional<InvisibleCharacter> find_invisible(std::string_view text);

/// Completes a sentence about the text: `ends with U+00A0 (no-break space)`, `begins with U+FEFF (byte order
/// mark)`, `holds U+2063`.
[[nodiscard]] std::string to_text(const InvisibleCharacter& character);

/// Names each invisible character of well-formed UTF-8, so that it can be shown anywhere: `4711<U+200B>`.
[[nodiscard]] std::string with_invisible_named(std::string_view text);

/// Removes the characters that find_invisible() finds from well-formed UTF-8.
[[nodiscard]] std::string without_invisible(std::string_view text);

}  // namespace data_import::util
