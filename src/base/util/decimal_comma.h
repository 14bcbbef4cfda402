// Numbers as people, spreadsheets and accounting programs write them where the comma is the decimal mark.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

struct WrittenNumber {
    std::string plain;                         ///< the number with a decimal point: `-1234.50`
    std::string currency = {};                 ///< as ISO 4217 calls it; empty for none
    bool is_ambiguous = false;                 ///< `1.234`: with a decimal point it is another number
    std::vector<std::string_view> marks = {};  ///< each completes `has ...`: `a decimal comma`
};

/// Reads `12,5`, `1.234,50`, `1.234` and `1234`. Points, apostrophes or blanks may stand between thousands,
/// one sort of them in a number; the first group has one to three digits and does not begin with 0, each
/// other one has three. A minus may stand before or after the number, as U+2212, too, or the number is in
/// brackets instead. One currency may stand beside it. Blanks around these parts mean nothing.
///
/// With a minus after it, brackets, U+2212, a currency or apostrophes, a number may have a decimal point
/// that is no mark of thousands: `12.50-`, `1'234.50`. Nothing for every other text, such as `12.50` and
/// `0.125`.
[[nodiscard]] std::optional<WrittenNumber> read_decimal_comma(std::string_view text);

/// Why the text, which read_decimal_comma() does not read, is no such number; completes a sentence about it.
[[nodiscard]] std::string decimal_comma_fault(std::string_view text);

/// The marks of a number that only read_decimal_comma() reads, joined: `a decimal comma, a currency`; empty
/// for a plain number and for a text that is no number.
[[nodiscard]] std::string decimal_comma_marks(std::string_view text);

}  // namespace data_import::util
