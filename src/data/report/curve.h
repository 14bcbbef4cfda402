// A curve as SVG, for HTML that uses no other file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/store/time_series.h"

namespace data_import::report {

/// Draws the named counts that the series has, with a legend that gives the sum of each. Merges points that
/// are too many to tell apart. One or two points become a sentence. Empty if there is nothing to draw.
[[nodiscard]] std::string draw_curve(const store::TimeSeries& series,
                                     const std::vector<std::string_view>& names, std::string_view unit);

}  // namespace data_import::report
