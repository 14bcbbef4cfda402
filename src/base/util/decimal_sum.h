// Exact sums of decimals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace data_import::util {

/// The sum of decimals, each with its own number of digits after the point.
class DecimalSum {
public:
    /// Adds a decimal that parse_decimal reads. Throws std::invalid_argument for another text. Throws
    /// std::overflow_error if the digits of the sum, read as one integer without the point, do not fit into
    /// 128 bits; 38 digits always fit. After an exception the sum is as before.
    void add(std::string_view decimal);
    /// Writes `-12.5`, `0.000001`, `3`: without exponent, without zeros at the end after the point.
    [[nodiscard]] std::string to_text() const;

private:
    __extension__ typedef __int128 Units;  // NOLINT(modernize-use-using): `using` cannot have __extension__

    [[nodiscard]] bool add_short(std::string_view decimal);
    static Units append(Units number, std::string_view digits, bool negative);

    Units units_ = 0;  ///< the sum in units of 10^-scale_
    std::size_t scale_ = 0;
};

}  // namespace data_import::util
