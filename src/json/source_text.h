// The raw text of a payload: what is found out about it before a parser sees it, what the parser is given
// instead of it, and a cursor that follows the parser through it. Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::json {

/// A part of a buffer.
struct Span {
    std::uint32_t start;
    std::uint32_t length;
};

/// Instead of the length of a string that the parser has to decode.
inline constexpr std::uint32_t length_unknown = UINT32_MAX;

/// What one pass over the text found, before its syntax is known to be right: correct for correct JSON,
/// harmless for anything else.
struct Survey {
    /// The text for the parser: strings without escapes and control characters are empty in it, numbers are
    /// 0, white space behind commas, colons and opening brackets is left out. All else stands as it was sent,
    /// so that it is JSON exactly where the text is.
    std::string skeleton;
    /// Strings and keys (what their quotes enclose) and numbers, in their order.
    std::vector<Span> scalars;
    std::size_t nodes = 1;          ///< values and keys, at most
    std::size_t decoded_bytes = 0;  ///< of the strings that the parser has to decode, at most
};

/// Throws SyntaxError for U+0000 in a string, for numbers that are no JSON, and where something is above the
/// limits of json/reader.h. What stands behind is not looked at, so that too much costs no more than enough.
[[nodiscard]] Survey survey(std::string_view text);

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

    std::string_view text_;
    std::size_t offset_ = 0;
};

}  // namespace data_import::json
