// Reads numbers with a comma as the decimal mark, as people, spreadsheets and accounting programs write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

struct WrittenNumber {
    std::string plain;          ///< the number with a decimal point: `-1234.50`
    std::string currency = {};  ///< currency code of ISO 4217; empty: there is none
    bool is_ambiguous = false;  ///< the point may also be a decimal mark, which makes another number: `1.234`
    /// The unusual parts of the text, worded so that they can follow the word `has`: `a decimal comma`.
    std::vector<std::string_view> marks = {};
};

/// Reads a number whose decimal mark is a comma, such as `12,5` and `1.234,50`, or that has no decimal
/// places, such as `1.234` and `1234`. Points, apostrophes or blanks may stand between thousands, but only
/// one sort of them in a number. The first group has one to three digits and does not begin with 0; each
/// other group has three. A minus, also U+2212 or U+2013, may stand before or after the number, or the number
/// is in brackets instead. One currency may stand next to it. Blanks around these parts mean nothing.
///
/// Reads a decimal point in place of the comma if the text has a minus after the number, brackets, U+2212,
/// U+2013, a currency, or apostrophes or blanks between thousands. Examples are `12.50-` and `1'234.50`.
/// Returns nothing for plain numbers with a decimal point, such as `12.50` and `0.125`, and for texts that
/// are no number.
[[nodiscard]] std::optional<WrittenNumber> read_decimal_comma(std::string_view text);

/// Says why read_decimal_comma() does not read a text; completes a sentence about the text.
[[nodiscard]] std::string decimal_comma_fault(std::string_view text);

/// Lists the marks of a number that only read_decimal_comma() reads: `a decimal comma, a currency`; empty for
/// a plain number and for a text that is no number.
[[nodiscard]] std::string decimal_comma_marks(std::string_view text);

}  // namespace data_import::util
