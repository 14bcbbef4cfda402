// The waits of a request for a locked account, alone or as a line of a bulk request.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace data_import::http {

/// The tries of one request. The pause before the next one is a quarter of the time that the account has been
/// locked, from 1 ms to 10 ms.
class LockWait {
public:
    using Clock = std::chrono::steady_clock;

    /// Returns the time of the next try, after one in vain; nothing from `until` on.
    [[nodiscard]] std::optional<Clock::time_point> next_try(Clock::time_point until) {
        constexpr Clock::duration shortest = std::chrono::milliseconds(1);
        constexpr Clock::duration longest = std::chrono::milliseconds(10);
        const auto now = Clock::now();
        if (!locked_since_) locked_since_ = now;
        if (now >= until) return std::nullopt;
        return now + std::clamp((now - *locked_since_) / 4, shortest, longest);
    }

private:
    std::optional<Clock::time_point> locked_since_ = {};  ///< as the first try found
};

}  // namespace data_import::http
