// Strict reading of JSON (RFC 8259; contract, section 2.3) with Poco::JSON's parser.
#pragma once

#include <string>

#include "data/json/syntax.h"
#include "data/json/value.h"

namespace data_import::json {

/// Reads one JSON value. Throws SyntaxError for a text that is not strict RFC 8259 in UTF-8 without BOM.
/// Throws it also for duplicate keys, U+0000 in strings and keys, lone surrogates, nesting above
/// `max_nesting`, an object with more than `max_members` members, more than `max_nodes()` values and keys,
/// and for a number that has more than `max_number_length` characters, is infinite as a double, or has an
/// exponent beyond `max_exponent`. Reading ends at the first limit that is exceeded. Strings are checked
/// after the rest of the text, and duplicate keys last.
[[nodiscard]] Document read(const std::string& text);

}  // namespace data_import::json
