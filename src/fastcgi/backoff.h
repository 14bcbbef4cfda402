// When the next worker of a pool may be started, after some have died.
#pragma once

#include <algorithm>
#include <chrono>

namespace data_import::fastcgi {

using Clock = std::chrono::steady_clock;

/// A worker that lived for a while is replaced at once, and so is the first one that died young; those that
/// follow it wait for 0.1 s, 0.2 s, 0.4 s, ... up to 5 s. Several that die during one wait count as one: they
/// fell together.
class Backoff {
public:
    void died(Clock::time_point born, Clock::time_point now) {
        const bool was_young = now - born < young;
        if (!was_young || now - last_early_death_ > calm) early_deaths_ = 0;
        if (!was_young) return;
        last_early_death_ = now;
        if (now < next_start_) return;
        if (early_deaths_ > 0) {
            delay_ = early_deaths_ == 1 ? first_delay : std::min(2 * delay_, longest_delay);
            next_start_ = now + delay_;
        }
        ++early_deaths_;
    }

    [[nodiscard]] Clock::time_point next_start() const { return next_start_; }

    /// A changed configuration deserves a fresh try.
    void reset() { *this = Backoff(); }

private:
    static constexpr std::chrono::seconds young{10};
    static constexpr std::chrono::seconds calm{60};
    static constexpr std::chrono::milliseconds first_delay{100};
    static constexpr std::chrono::milliseconds longest_delay{5000};

    int early_deaths_ = 0;
    std::chrono::milliseconds delay_{};
    Clock::time_point last_early_death_{};
    Clock::time_point next_start_{};
};

}  // namespace data_import::fastcgi
