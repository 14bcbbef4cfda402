// A token bucket: limits how much is done at once, and how much in a second.
#pragma once

#include <algorithm>
#include <chrono>

namespace data_import::util {

class TokenBucket {
public:
    using Time = std::chrono::steady_clock::time_point;

    /// Makes a full bucket of `most_at_once` tokens; `in_second` tokens come back in a second.
    TokenBucket(double most_at_once, double in_second) : most_(most_at_once), in_second_(in_second) {}

    /// Takes one token. Returns false if there is none.
    [[nodiscard]] bool take_one(Time now) {
        fill(now);
        if (room_ < 1) return false;
        room_ -= 1;
        return true;
    }

    /// Returns whether any tokens are left. To be called before work whose cost is known only afterwards;
    /// spend() then takes the cost.
    [[nodiscard]] bool has_room(Time now) {
        fill(now);
        return room_ > 0;
    }
    /// Takes the cost of some work. The cost may be more tokens than there are: then nothing can be taken
    /// until enough have come back.
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
