// Figures of control totals as people read them.
#pragma once

#include <string>
#include <string_view>

namespace data_import::records {

/// `figure` is one of control totals, or the amount of a kind: amounts of money have the digits of their
/// minor unit
/// (`1,234.50`), quantities those that they need.
[[nodiscard]] std::string figure_text(std::string_view figure, std::string_view decimal);

}  // namespace data_import::records
