// String literals of a document (specification of October 2021, section 2.9.4). Private to the folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace data_import::graphql {

struct StringLiteral {
    std::string value;
    std::size_t end = 0;  ///< offset behind the closing quotes
};

/// Reads the literal whose first quote stands at `start`. `\uXXXX` (surrogates in pairs) and `\u{...}` are
/// both understood. Throws SyntaxError.
[[nodiscard]] StringLiteral read_string(std::string_view text, std::size_t start);

/// The same for a block string, which begins with three quotes.
[[nodiscard]] StringLiteral read_block_string(std::string_view text, std::size_t start);

}  // namespace data_import::graphql
