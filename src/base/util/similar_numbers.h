// Finds the numbers that were perhaps meant by a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Returns numbers that differ from a well-formed text by invisible characters, by hyphens of other forms, by
/// quotation marks around it, by `.0` at its end, by blanks at its ends, by the case of all (ASCII) letters,
/// by the zeros in front of one group of digits, or by separators (blank, `-`, `_`, `.`, `/`): one more, one
/// less, or all of them removed or replaced. The result is sorted, has some hundred numbers, and does not
/// contain the text itself. Returns none for a text that is longer than account numbers are.
[[nodiscard]] std::vector<std::string> similar_numbers(std::string_view text);

}  // namespace data_import::util
