#include "tools/client/pace.h"

#include <algorithm>
#include <cstdint>

#include "base/util/datetime.h"

namespace data_import::client {

namespace {

constexpr std::chrono::seconds quick(2);
constexpr std::chrono::seconds slow(10);
constexpr std::chrono::minutes memory(1);
constexpr std::chrono::seconds longest_pause(300);
constexpr std::chrono::seconds long_wait(10);

}  // namespace

void Measure::note(Load load, std::size_t lines, Clock::duration latency, Clock::time_point now) {
    if (load == Load::good) {
        if (latency > slow) lines_ = std::max<std::size_t>(lines_ / 2, 1);
        if (latency < quick && lines >= lines_) lines_ = std::min(lines_ * 2, most_lines);
        if (latency < slow && ++good_in_a_row_ >= requests_) grow(now);
        return;
    }
    good_in_a_row_ = 0;
    if (load == Load::throttled) {
        too_many_ = requests_;
        too_many_until_ = now + memory;
    } else {
        lines_ = std::max<std::size_t>(lines_ / 2, 1);
    }
    requests_ = std::max<std::size_t>(requests_ / 2, 1);
}

void Measure::grow(Clock::time_point now) {
    good_in_a_row_ = 0;
    const bool was_too_many = now < too_many_until_ && requests_ + 1 >= too_many_;
    if (requests_ < most_requests_ && !was_too_many) ++requests_;
}

void Measure::note_size(bool comes_through, std::size_t bytes) {
    constexpr std::size_t between_tries = 64;
    if (!comes_through) {
        through_ = 0;
        if (bytes > longest_) bytes_ = std::max(bytes / 2, longest_);
        return;
    }
    longest_ = std::max(longest_, bytes);
    bytes_ = std::max(bytes_, bytes);
    if (++through_ % between_tries == 0) bytes_ = std::min(bytes_, unlimited / 2) * 2;
}

std::size_t Pace::requests() const {
    const std::lock_guard lock(mutex_);
    return measure_.requests();
}

std::size_t Pace::lines() const {
    const std::lock_guard lock(mutex_);
    return lines_per_second_ > 0 ? std::min(measure_.lines(), lines_per_second_) : measure_.lines();
}

std::size_t Pace::bytes() const {
    const std::lock_guard lock(mutex_);
    return measure_.bytes();
}

void Pace::note_size(bool comes_through, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    measure_.note_size(comes_through, bytes);
}

bool Pace::enter(std::size_t lines, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (Clock::now() < pause_until_ || under_way_ >= measure_.requests()) {
        if (under_way_ >= measure_.requests()) {
            if (!room_.wait(lock, stop, [this] { return under_way_ < measure_.requests(); })) return false;
        } else if (!wait_until(pause_until_, lock, stop)) {
            return false;
        }
    }
    ++under_way_;
    if (lines_per_second_ > 0) {
        const Clock::time_point begin = std::max(Clock::now(), next_line_);
        next_line_ = begin + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(
                                 static_cast<double>(lines) / static_cast<double>(lines_per_second_)));
        if (!wait_until(begin, lock, stop)) {
            --under_way_;
            return false;
        }
    }
    if (stop.stop_requested()) {
        --under_way_;
        return false;
    }
    if (!silent_since_) silent_since_ = Clock::now();
    return true;
}

bool Pace::wait_until(Clock::time_point time, std::unique_lock<std::mutex>& lock,
                      const std::stop_token& stop) {
    room_.wait_until(lock, stop, time, [&] { return Clock::now() >= time; });
    return !stop.stop_requested();
}

void Pace::leave(Load load, std::size_t lines, Clock::duration latency,
                 std::optional<std::chrono::seconds> pause) {
    const std::lock_guard lock(mutex_);
    --under_way_;
    const Clock::time_point now = Clock::now();
    last_ = load;
    if (load == Load::good) silent_since_ = under_way_ > 0 ? std::optional(now) : std::nullopt;
    measure_.note(load, lines, latency, now);
    if (pause) pause_until_ = std::max(pause_until_, now + std::min(*pause, longest_pause));
    if (pause) asked_until_ = std::chrono::system_clock::now() + *pause;
    room_.notify_all();
}

std::string in_seconds(std::chrono::system_clock::time_point time) {
    constexpr std::int64_t microseconds = 1'000'000;
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
    return util::to_text(util::Instant{seconds * microseconds});
}

std::optional<Silence> Pace::silence() const {
    const std::lock_guard lock(mutex_);
    if (!silent_since_) return std::nullopt;
    Silence silence{Clock::now() - *silent_since_, last_};
    if (asked_until_ - std::chrono::system_clock::now() > long_wait) silence.asked_until = asked_until_;
    return silence;
}

}  // namespace data_import::client
