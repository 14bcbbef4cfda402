// Limits the load that a run puts on the service at a time.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace data_import::client {

/// The result of a request, as a sign of how much load the service can take.
enum class Load {
    good,       ///< answered as usual
    throttled,  ///< told to come again later, because it was too much
    stalled,    ///< answered too late or not at all
};

/// The limits themselves, without waiting: requests at the same time, and lines in one of them. Both grow
/// while all goes well and are halved when it does not.
class Measure {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::size_t first_lines = 100;
    static constexpr std::size_t most_lines = 5000;

    explicit Measure(std::size_t most_requests) : most_requests_(most_requests) {}

    [[nodiscard]] std::size_t requests() const { return requests_; }
    [[nodiscard]] std::size_t lines() const { return lines_; }

    /// `lines` is the number of lines in the request, 1 if it is no bulk request.
    void note(Load load, std::size_t lines, Clock::duration latency, Clock::time_point now);

    /// Returns the most bytes of a request with several lines, packed: something on the way may take no more.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Notes that a request of this size has come through, or was sent back on the way. If a longer one came
    /// through before, the one sent back is not too long. After many that come through, longer ones are
    /// tried: the cause may have been a line.
    void note_size(bool comes_through, std::size_t bytes);

private:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    void grow(Clock::time_point now);

    std::size_t most_requests_;
    std::size_t requests_ = 1;
    std::size_t lines_ = first_lines;
    std::size_t bytes_ = unlimited;
    std::size_t longest_ = 0;  ///< that has come through
    std::size_t through_ = 0;  ///< requests that have come through since one was sent back
    std::size_t good_in_a_row_ = 0;
    std::size_t too_many_ = 0;  ///< number of requests at the same time when one was last throttled
    Clock::time_point too_many_until_{};
};

/// The time without a result of any request, although one is under way or has to be retried.
struct Silence {
    Measure::Clock::duration time{};
    Load last = Load::good;  ///< result of the last request; good if none has failed in this time
    /// The end of a long wait that an answer has asked for; nothing once it is over.
    std::optional<std::chrono::system_clock::time_point> asked_until = {};
};

/// Returns `2026-11-28T11:00:00Z`.
[[nodiscard]] std::string in_seconds(std::chrono::system_clock::time_point time);

/// The limits for all threads of a run.
class Pace {
public:
    using Clock = Measure::Clock;

    /// `lines_per_second` 0 means no limit of its own.
    Pace(std::size_t most_requests, std::size_t lines_per_second)
        : measure_(most_requests), lines_per_second_(lines_per_second) {}

    [[nodiscard]] std::size_t requests() const;
    /// Returns the number of lines that a bulk request should have now.
    [[nodiscard]] std::size_t lines() const;
    /// Returns the most bytes, as Measure does.
    [[nodiscard]] std::size_t bytes() const;
    void note_size(bool comes_through, std::size_t bytes);

    /// Waits until a request of so many lines may go. Returns false if stopped first; else leave() has to
    /// follow.
    [[nodiscard]] bool enter(std::size_t lines, const std::stop_token& stop);
    /// Ends a request. `pause` is the wait that the service has asked for: no other request goes earlier.
    void leave(Load load, std::size_t lines, Clock::duration latency,
               std::optional<std::chrono::seconds> pause);

    /// Returns nothing while there is no request to wait for.
    [[nodiscard]] std::optional<Silence> silence() const;

private:
    [[nodiscard]] bool wait_until(Clock::time_point time, std::unique_lock<std::mutex>& lock,
                                  const std::stop_token& stop);

    mutable std::mutex mutex_;
    std::condition_variable_any room_;
    Measure measure_;
    std::size_t lines_per_second_;
    std::size_t under_way_ = 0;
    std::optional<Clock::time_point> silent_since_;
    Load last_ = Load::good;
    Clock::time_point pause_until_{};
    std::chrono::system_clock::time_point asked_until_{};
    Clock::time_point next_line_{};  ///< time when the next line may go, by the limit
};

}  // namespace data_import::client
