// Exact decimals as text: the numbers of a request reach the database digit by digit.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::util {

inline constexpr std::size_t max_decimal_digits = 1000;

/// A decimal number without exponent, as its digits were written.
struct Decimal {
    bool negative = false;
    std::string whole;     ///< digits before the point, no leading zeros; empty for 0
    std::string fraction;  ///< digits after the point as written, trailing zeros kept

    [[nodiscard]] bool is_zero() const;
    /// Writes `-12.50`, `0.5`, `3`: the form that PostgreSQL's numeric reads.
    [[nodiscard]] std::string to_text() const;
};

/// A decimal without exponent as views of its text: `-?[0-9]+(\.[0-9]+)?`.
struct DecimalView {
    bool negative;
    std::string_view whole;     ///< digits before the point, no leading zeros; empty for 0
    std::string_view fraction;  ///< digits after the point, as written
};

/// Reads a decimal without exponent, such as `-12.50`. Returns nothing for any other text.
[[nodiscard]] std::optional<DecimalView> plain_decimal(std::string_view text);

/// Returns the digits without the zeros at their end, which mean nothing after a point.
[[nodiscard]] std::string_view without_zeros_at_end(std::string_view digits);

/// Returns whether a number literal of JSON is zero, with any exponent.
[[nodiscard]] bool is_zero_number(std::string_view literal);

/// Returns true for a number literal of JSON of any size.
[[nodiscard]] bool is_json_number(std::string_view literal);

/// Reads a JSON number literal exactly: `5e-05` is 0.00005, and zero with any exponent is 0. Returns nothing
/// for any other text, and for a number that has more than `max_decimal_digits` digits when it is written
/// without exponent. A number that json::read() has accepted is always read.
[[nodiscard]] std::optional<Decimal> parse_json_number(std::string_view literal);

/// Reads a decimal in a JSON string: `-?[0-9]+(\.[0-9]+)?`. Returns nothing for any other text, such as one
/// with an exponent, a plus sign or blanks.
[[nodiscard]] std::optional<Decimal> parse_decimal_string(std::string_view text);

/// Reads a JSON number literal or a decimal in a JSON string.
[[nodiscard]] std::optional<Decimal> parse_decimal(std::string_view text);

}  // namespace data_import::util
