// Limits how much is done: an amount at once, and so much more in a second (a token bucket).
#pragma once

#include <algorithm>
#include <chrono>

namespace data_import::util {

class TokenBucket {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Begins full.
    TokenBucket(double most_at_once, double in_second) : most_(most_at_once), in_second_(in_second) {}

    /// Takes one. Returns false if there is none.
    [[nodiscard]] bool take_one(Time now) {
        fill(now);
        if (room_ < 1) return false;
        room_ -= 1;
        return true;
    }

    /// Returns whether there is anything left. To be asked before something whose cost is known only
    /// afterwards.
    [[nodiscard]] bool has_room(Time now) {
        fill(now);
        return room_ > 0;
    }
    /// Takes what something has cost, also more than there is: later time pays for it.
    void spend(double cost) { room_ -= cost; }

private:
    void fill(Time now) {
        const std::chrono::duration<double> passed = now - filled_at_;
        room_ = std::min(room_ + passed.count() * in_second_, most_);
        filled_at_ = now;
    }

    double most_;
    double in_second_;
    double room_ = most_;
    Time filled_at_{};
};

}  // namespace data_import::util
