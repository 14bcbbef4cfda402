// Figures of control totals in a form for people.
#pragma once

#include <string>
#include <string_view>

namespace data_import::records {

/// Writes a figure of control totals, or the amount of a kind: amounts of money have the digits of their
/// minor unit (`1,234.50`), quantities the digits that they need.
[[nodiscard]] std::string figure_text(std::string_view figure, std::string_view decimal);

}  // namespace data_import::records
