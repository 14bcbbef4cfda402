#include "base/util/backoff.h"

#include <algorithm>

namespace data_import::util {

using std::chrono::milliseconds;

milliseconds Backoff::delay(unsigned retry, std::optional<std::chrono::seconds> retry_after,
                            double chance) const {
    constexpr unsigned most_doublings = 20;  // more doublings would overflow the product
    const milliseconds half = std::min(first * (1U << std::min(retry - 1, most_doublings)), longest) / 2;
    const milliseconds spread(static_cast<milliseconds::rep>(static_cast<double>(half.count()) * chance));
    if (!retry_after) return half + spread;
    const milliseconds asked = std::min<milliseconds>(*retry_after, longest_asked);
    return std::max(half + spread, spreads_asked ? asked + spread : asked);
}

}  // namespace data_import::util
