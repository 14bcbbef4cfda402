// Waits before retries.
#pragma once

#include <chrono>
#include <optional>

namespace data_import::util {

/// The length of waits: they double up to a longest one, unless the other side asks for longer ones.
struct Backoff {
    std::chrono::milliseconds first;
    std::chrono::milliseconds longest;
    std::chrono::milliseconds longest_asked = std::chrono::milliseconds::max();
    bool spreads_asked = false;  ///< waits that the other side asked for are spread, too

    /// Returns the wait before a retry, counted from 1. It is at least as long as `retry_after` asks for;
    /// `longest_asked` is the most that counts. `chance`, from 0 to 1, spreads the wait over its second half,
    /// so that many clients do not come back at the same time.
    [[nodiscard]] std::chrono::milliseconds delay(unsigned retry,
                                                  std::optional<std::chrono::seconds> retry_after,
                                                  double chance) const;
};

}  // namespace data_import::util
