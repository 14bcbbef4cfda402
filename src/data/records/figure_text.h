// Figures of control totals in a form for people.
#pragma once

#include <string>
#include <string_view>

namespace data_import::records {

/// Writes the number `decimal` as people read it. `figure` is the name of the figure that has this value,
/// such as `records`, `amount` or `amount:CHARGE`. Amounts of money get at least two decimal places
/// (`1,234.50`), all other numbers only those that they have.
[[nodiscard]] std::string figure_text(std::string_view figure, std::string_view decimal);

}  // namespace data_import::records
