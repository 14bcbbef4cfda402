// Strict reading of JSON (RFC 8259; contract, section 2.3) with Poco::JSON's parser.
#pragma once

#include <string>

#include "data/json/syntax.h"
#include "data/json/value.h"

namespace data_import::json {

/// Reads one JSON value. Throws SyntaxError for anything that is not strict RFC 8259 in UTF-8 without BOM,
/// for duplicate keys, U+0000 in strings and keys, lone surrogates, nesting above `max_nesting`, more than
/// `max_members` members or `max_nodes()` values and keys, and numbers that do not fit common arithmetic
/// (above `max_number_length` characters, or infinite as a double). Reading ends at the first limit that is
/// exceeded. Strings are checked once the rest is known to be JSON, and duplicate keys last.
[[nodiscard]] Document read(const std::string& text);

}  // namespace data_import::json
