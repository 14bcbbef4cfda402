// The numbers that were perhaps meant by a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Numbers that differ from a well-formed text by blanks at its ends, by the case of all (ASCII) letters, by
/// the zeros in front of one group of digits, or by one separator more or less (blank, `-`, `_`, `.`, `/`).
/// Sorted, without the text itself; none of a text that is longer than such numbers are. Some hundred.
[[nodiscard]] std::vector<std::string> similar_numbers(std::string_view text);

}  // namespace data_import::util
