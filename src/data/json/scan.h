// The first pass over a payload's text, before the parser reads it. This pass finds facts that the parser
// does not report, and leaves the parser less to read. Private to the folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/json/syntax.h"

namespace data_import::json {

/// A part of a text: the place of its first byte, and its length.
struct Span {
    std::uint32_t start;
    std::uint32_t length;
};

/// The result of scan(). The scanned text may still be no JSON.
struct Scan {
    /// The text that the parser gets in place of the scanned text. Keys and strings are empty, numbers are 0,
    /// white space after commas and colons is left out, and other white space is one blank. The rest stands
    /// as it was sent, so the parser finds the faults outside of strings. decode() finds the faults within
    /// strings.
    ///
    /// The skeleton is short, because the parser is slow with each character.
    std::string skeleton;
    /// The places of keys and values in the text, in their order. The place of an array or object is that of
    /// its opening bracket.
    std::vector<Span> tokens;
    /// Indexes in `tokens` of the keys and strings that have escapes, or characters that have to be escaped.
    std::vector<std::uint32_t> escaped;
};

/// Scans a text. Throws SyntaxError for U+0000 in a string, for a number that is not JSON, and when a limit
/// of json/syntax.h is exceeded. The scan ends at the first such fault, so that a text above the limits costs
/// no more than a text within them.
[[nodiscard]] Scan scan(std::string_view text);

}  // namespace data_import::json
