// Draws curves as SVG, for HTML that uses no other file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "data/store/time_series.h"

namespace data_import::report {

/// Returns HTML: a drawing with a curve for each of `names` that the series has, and a legend with the sum of
/// each curve. If there are more than 240 intervals, adds up neighbouring ones. If there are one or two
/// intervals, returns a sentence instead of a drawing. Returns an empty text if the series has none of the
/// names. `unit` is the caption, such as `Records stored`.
[[nodiscard]] std::string draw_curve(const store::TimeSeries& series,
                                     const std::vector<std::string_view>& names, std::string_view unit);

}  // namespace data_import::report
