// Characters that nobody sees, or nobody tells from a space. They come with texts that are copied from web
// pages, PDF files and spreadsheets.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace data_import::util {

/// Both ends belong to it.
struct CodePointRange {
    char32_t first;
    char32_t last;
};

/// All invisible characters in the order of their code points: controls, white space other than U+0020,
/// what Unicode lets programs ignore (soft hyphen, zero-width characters, direction marks, variation
/// selectors, fillers, tags), and format characters and blanks beside these.
[[nodiscard]] std::span<const CodePointRange> invisible_ranges();

[[nodiscard]] bool is_invisible(char32_t point);

/// Beginning and end: nothing can be seen on that side of the character.
enum class TextPlace { beginning, inside, end };

struct InvisibleCharacter {
    char32_t point;
    TextPlace place;
};

/// The first invisible character of well-formed UTF-8; nothing if there is none. Without any other, a space
/// (U+0020) counts at the beginning and at the end of the text, but not inside.
[[nodiscard]] std::optional<InvisibleCharacter> find_invisible(std::string_view text);

/// `ends with U+00A0 (no-break space)`, `begins with U+FEFF (byte order mark)`, `holds U+2063`: completes a
/// sentence about the text.
[[nodiscard]] std::string to_text(const InvisibleCharacter& character);

/// Well-formed UTF-8 with each invisible character named, as it can be shown anywhere: `4711<U+200B>`.
[[nodiscard]] std::string with_invisible_named(std::string_view text);

/// Well-formed UTF-8 without the characters that find_invisible() finds.
[[nodiscard]] std::string without_invisible(std::string_view text);

}  // namespace data_import::util
