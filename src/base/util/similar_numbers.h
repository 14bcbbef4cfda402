// Finds the numbers that were perhaps meant by a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Returns numbers that differ from `text`, which has to be UTF-8, in one or more of these parts:
///
/// - invisible characters, blanks at the ends, or the case of all ASCII letters
/// - hyphens of other forms, quotation marks around the number, or `.0` at its end
/// - the count of zeros in front of one group of digits
/// - separators (blank, `-`, `_`, `.` and `/`): one is added, one is removed, all are removed, or all are
///   replaced by another separator
///
/// The result is sorted, mostly has a few hundred numbers, and does not contain `text` itself. Returns no
/// numbers if `text`, without invisible characters and quotation marks, has more than 40 bytes.
[[nodiscard]] std::vector<std::string> similar_numbers(std::string_view text);

}  // namespace data_import::util
