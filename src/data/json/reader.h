// Strict reading of JSON (RFC 8259; contract, section 2.3) with Poco::JSON's parser.
#pragma once

#include <string>

#include "data/json/syntax.h"
#include "data/json/value.h"

namespace data_import::json {

/// Returns the JSON value of a text: strict RFC 8259, in UTF-8 without BOM. Throws SyntaxError for any other
/// text, and for:
/// - duplicate keys in an object; lone surrogates or U+0000 in a string or key
/// - nesting above `max_nesting`; more than `max_members` members of an object; more than `max_nodes()`
///   values and keys
/// - a number that has more than `max_number_length` characters, is infinite as a double, or has an exponent
///   beyond `max_exponent`
///
/// Reading ends at the first limit that is exceeded. Strings are checked after the rest of the text, and
/// duplicate keys last.
[[nodiscard]] Document read(const std::string& text);

}  // namespace data_import::json
