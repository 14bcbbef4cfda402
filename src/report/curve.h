// A curve as SVG that stands in HTML by itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/time_series.h"

namespace data_import::report {

/// Draws these of the series' counts, those that are there, with a legend that says what each adds up to.
/// Where there are more times than can be told apart, several make one. Empty where there is nothing to draw.
[[nodiscard]] std::string draw_curve(const store::TimeSeries& series,
                                     const std::vector<std::string_view>& names, std::string_view unit);

}  // namespace data_import::report
