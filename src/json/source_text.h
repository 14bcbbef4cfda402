// The raw text of a payload: what has to be known about it before a parser sees it, and a cursor that follows
// the parser through it. Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::json {

/// What one pass over the text found, before its syntax is known to be right: correct for correct JSON,
/// harmless for anything else.
struct Survey {
    std::size_t nodes = 1;                   ///< values and keys, at most
    std::vector<std::uint32_t> numbers;      ///< where numbers start, in their order
    std::vector<std::size_t> long_integers;  ///< where integers start that do not fit 64 bits for certain
};

/// Throws SyntaxError for U+0000 in a string and for numbers above the limits of json/reader.h.
[[nodiscard]] Survey survey(std::string_view text);

/// The number that starts here, as it stands in the text.
[[nodiscard]] std::string_view number_at(std::string_view text, std::size_t start);

/// The text with a point in each of these integers, so that the parser takes them for the doubles that they
/// fit in; all lengths, and whether it is JSON at all, stay as they are.
[[nodiscard]] std::string with_points(std::string text, const std::vector<std::size_t>& long_integers);

/// Walks over the tokens of a text, as far as a parser has found it to be right.
class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) {}

    /// Moves behind the next token that is a value, a key or a bracket.
    void next();

    /// ` near line L, byte B`: where the next token starts. Lines count from 1, bytes from 1 in the whole
    /// text.
    [[nodiscard]] std::string place() const;

private:
    [[nodiscard]] std::size_t next_start() const;
    [[nodiscard]] std::size_t behind_blanks(std::size_t offset) const;

    std::string_view text_;
    std::size_t offset_ = 0;
};

}  // namespace data_import::json
