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
    /// A wait that the other side asked for is made longer at random, because otherwise many clients that
    /// were asked to wait for the same time would come back together.
    bool spreads_asked = false;

    /// Returns the wait before retry number `retry`; the first is 1. `chance` is a random number from 0 to 1:
    /// 0 leaves half of the wait's full length, 1 all of it. `retry_after` is the wait that the other side
    /// asked for; nothing: it asked for none. The result is at least `retry_after`, but a `retry_after` above
    /// `longest_asked` counts as `longest_asked`.
    ///
    /// The wait is random, because clients that failed together should come back at different times.
    [[nodiscard]] std::chrono::milliseconds delay(unsigned retry,
                                                  std::optional<std::chrono::seconds> retry_after,
                                                  double chance) const;
};

}  // namespace data_import::util
