// Strict reading of JSON (RFC 8259; contract, section 2.3) with Poco::JSON's parser.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "json/value.h"

namespace data_import::json {

/// The text is not the JSON that this interface takes. `what()` is a sentence for the client: it says what is
/// wrong and, where known, at which byte; it never quotes payload content except the name of a duplicate key.
class SyntaxError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline constexpr std::size_t max_nesting = 32;         ///< levels, the outermost value being the first
inline constexpr std::size_t max_members = 10'000;     ///< per object
inline constexpr unsigned max_exponent = 400;          ///< in a number literal but zero, either sign
inline constexpr std::size_t max_number_length = 100;  ///< characters of a number literal

/// The number of values and keys that a text of so many bytes may hold. Bodies that an endpoint takes have at
/// least 7 bytes for each if they have many. A text with more would be refused after much work.
[[nodiscard]] constexpr std::size_t max_nodes(std::size_t bytes) {
    return std::max<std::size_t>(100'000, bytes / 6);
}

/// Reads one JSON value. Throws SyntaxError for anything that is not strict RFC 8259 in UTF-8 without BOM,
/// for duplicate keys, U+0000 in strings and keys, lone surrogates, nesting above `max_nesting`, more than
/// `max_members` members or `max_nodes()` values and keys, and numbers that do not fit common arithmetic
/// (above `max_number_length` characters, or infinite as a double). Reading ends at the first limit that is
/// exceeded. Strings are checked once the rest is known to be JSON, and duplicate keys last.
[[nodiscard]] Document read(const std::string& text);

}  // namespace data_import::json
