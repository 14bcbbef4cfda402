// Finds the numbers that were perhaps meant by a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Returns the numbers that may have been meant if `text` is a mistyped number. `text` has to be UTF-8. Each
/// returned number differs from `text` in one or more of these ways:
///
/// - other invisible characters, other blanks at the ends, or another case of all ASCII letters
/// - hyphens of another form, quotation marks around the number, or `.0` at the end of the number
/// - more or fewer zeros in front of one group of digits
/// - one separator more, one separator fewer, no separators, or another separator in place of all separators;
///   the separators are blank, `-`, `_`, `.` and `/`
///
/// The result is sorted, usually has a few hundred numbers, and does not contain `text` itself. Returns no
/// numbers if `text`, without invisible characters and quotation marks, has more than 40 bytes.
[[nodiscard]] std::vector<std::string> similar_numbers(std::string_view text);

}  // namespace data_import::util
