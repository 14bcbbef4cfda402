// Numbers as spreadsheets write them where a comma stands before the decimals.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace data_import::util {

/// `12.5` of `12,5`, `1234.50` of `1.234,50`, `1234` of `1.234` and of `1234`: digits, points only between
/// thousands, at most one comma, a minus before or behind them. Nothing for every other text, such as `12.5`.
[[nodiscard]] std::optional<std::string> from_decimal_comma(std::string_view text);

/// It is such a number and has a comma, so that it cannot be one with a decimal point.
[[nodiscard]] bool has_decimal_comma(std::string_view text);

}  // namespace data_import::util
