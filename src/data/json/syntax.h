// The limits of a text that is read as JSON, and the error for a text that is not JSON.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace data_import::json {

/// The text is not the JSON that this interface takes. `what()` is a sentence for the client, with the fault
/// and, if known, its line and byte. The name of a duplicate key is the only content that it quotes.
class SyntaxError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;

    /// Writes `REASON near line L, byte B.`; lines count from 1, bytes from 1 in their line.
    SyntaxError(const std::string& reason, std::string_view text, std::size_t offset)
        : std::runtime_error(reason + " near line " +
                             std::to_string(std::ranges::count(text.substr(0, offset), '\n') + 1) +
                             ", byte " + std::to_string(offset - begin_of_line(text, offset) + 1) + "."),
          reason_(reason),
          offset_(offset) {}

    /// Returns the sentence without the place at its end; empty if the error has no place.
    [[nodiscard]] const std::string& reason() const { return reason_; }
    /// Returns the offset of the fault in the text; nothing if the error has no place.
    [[nodiscard]] std::optional<std::size_t> offset() const { return offset_; }

private:
    static std::size_t begin_of_line(std::string_view text, std::size_t offset) {
        return text.substr(0, offset).rfind('\n') + 1;  // rfind() + 1 is 0 on the first line
    }

    std::string reason_;
    std::optional<std::size_t> offset_;
};

inline constexpr std::size_t max_nesting = 32;         ///< levels of nesting; the outermost value is level 1
inline constexpr std::size_t max_members = 10'000;     ///< most members of one object
inline constexpr unsigned max_exponent = 400;          ///< greatest exponent, + or -; zero may have any
inline constexpr std::size_t max_number_length = 100;  ///< most characters of a number literal

/// Returns the greatest number of values and keys that a text of `bytes` bytes may hold: 100,000, or one for
/// each 6 bytes if that is more.
///
/// The limit refuses other texts before they cost much work, and no valid body, because a valid body with
/// many values has at least 7 bytes for each value or key.
[[nodiscard]] constexpr std::size_t max_nodes(std::size_t bytes) {
    return std::max<std::size_t>(100'000, bytes / 6);
}

inline bool is_white_space(char character) {
    return character == ' ' || character == '\n' || character == '\r' || character == '\t';
}

}  // namespace data_import::json
