// The one table of what GET /metrics says: the answer and the manual page are made from it.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace data_import::metrics {

enum class Type { counter, gauge, histogram };

struct Metric {
    std::string_view name;
    Type type;
    std::string_view labels;    ///< names, parted by blanks
    std::string_view sentence;  ///< the HELP line
};

/// In the order of the answer.
[[nodiscard]] std::span<const Metric> table();

/// `counter`, `gauge`, `histogram`.
[[nodiscard]] std::string_view type_name(Type type);

}  // namespace data_import::metrics
