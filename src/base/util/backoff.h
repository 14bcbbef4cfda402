// Waits before retries.
#pragma once

#include <chrono>
#include <optional>

namespace data_import::util {

/// The lengths of waits: each is twice the one before, up to `longest`. The other side may ask for more.
struct Backoff {
    std::chrono::milliseconds first;
    std::chrono::milliseconds longest;
    std::chrono::milliseconds longest_asked = std::chrono::milliseconds::max();
    bool spreads_asked = false;  ///< waits that the other side asked for are spread, too

    /// Returns the wait before retry number `retry`; the first is 1. The wait is at least `retry_after`, or
    /// `longest_asked` if that is shorter. `chance`, from 0 to 1, makes the wait shorter by up to a half, so
    /// that many clients do not come back at the same time: 0 stands for half of the wait, 1 for all of it.
    [[nodiscard]] std::chrono::milliseconds delay(unsigned retry,
                                                  std::optional<std::chrono::seconds> retry_after,
                                                  double chance) const;
};

}  // namespace data_import::util
