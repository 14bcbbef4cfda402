// The times at which a request for a locked account is tried again, alone or as a line of a bulk request.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace data_import::http {

/// The times at which one request is tried. The pause before the next try is a quarter of the time that the
/// account has been locked, from 1 ms to 10 ms.
class LockWait {
public:
    using Clock = std::chrono::steady_clock;

    /// Returns the time of the next try. Has to be called after each try that found the account locked.
    /// Returns nothing if it is `until` or later.
    [[nodiscard]] std::optional<Clock::time_point> next_try(Clock::time_point until) {
        constexpr Clock::duration shortest = std::chrono::milliseconds(1);
        constexpr Clock::duration longest = std::chrono::milliseconds(10);
        const auto now = Clock::now();
        if (!locked_since_) locked_since_ = now;
        if (now >= until) return std::nullopt;
        return now + std::clamp((now - *locked_since_) / 4, shortest, longest);
    }

private:
    std::optional<Clock::time_point> locked_since_ = {};  ///< the time of the first try
};

}  // namespace data_import::http
