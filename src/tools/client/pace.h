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
    throttled,  ///< the service asked to come again later, because it had too much to do
    stalled,    ///< answered too late, or not at all
};

/// The present limits of a run: requests at the same time, and lines in a bulk request. Both grow while
/// requests are answered quickly. The number of requests is halved after a request that was throttled or
/// stalled; the number of lines is halved after a request that stalled or took long.
class Measure {
public:
    using Clock = std::chrono::steady_clock;

    static constexpr std::size_t first_lines = 100;
    static constexpr std::size_t most_lines = 5000;

    explicit Measure(std::size_t most_requests) : most_requests_(most_requests) {}

    [[nodiscard]] std::size_t requests() const { return requests_; }
    [[nodiscard]] std::size_t lines() const { return lines_; }

    /// Adapts the limits to a request that has ended. `load` is the result of the request, and `lines` its
    /// number of lines: 1 if it is no bulk request. `now` is the time when the request ended, `latency` after
    /// it was sent.
    void note(Load load, std::size_t lines, Clock::duration latency, Clock::time_point now);

    /// Returns the greatest size, in bytes after compression, that a bulk request of several lines may have.
    /// A proxy on the way may refuse longer requests.
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Notes that a bulk request of `bytes` bytes was answered (`comes_through`), or refused on its way to
    /// the service. A refusal lowers the limit to half of `bytes`, but not below the longest bulk request
    /// that was answered. After 64 answered bulk requests in a row the limit is doubled, because a line, and
    /// not the size, may have caused the refusal.
    void note_size(bool comes_through, std::size_t bytes);

private:
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    void grow(Clock::time_point now);

    std::size_t most_requests_;
    std::size_t requests_ = 1;
    std::size_t lines_ = first_lines;
    std::size_t bytes_ = unlimited;
    std::size_t longest_ = 0;  ///< packed bytes of the longest bulk request that was answered
    std::size_t through_ = 0;  ///< number of bulk requests answered since one was refused for its size
    std::size_t good_in_a_row_ = 0;
    std::size_t too_many_ = 0;  ///< number of concurrent requests when a request was last throttled
    Clock::time_point too_many_until_{};
};

/// The time for which no request has succeeded, although one is under way or has to be retried.
struct Silence {
    Measure::Clock::duration time{};
    /// Result of the request that ended last; Load::good if no request has ended yet.
    Load last = Load::good;
    /// The end of a long wait that an answer has asked for; nothing once it is over.
    std::optional<std::chrono::system_clock::time_point> asked_until = {};
};

/// Returns the time in whole seconds: `2026-11-28T11:00:00Z`.
[[nodiscard]] std::string in_seconds(std::chrono::system_clock::time_point time);

/// Limits the number of requests at a time and the lines per second, for all threads of a run together.
/// enter() waits until a request may be sent. Safe to use from any thread.
class Pace {
public:
    using Clock = Measure::Clock;

    /// `most_requests` limits the requests at the same time. `lines_per_second` limits the rate; 0: no limit.
    Pace(std::size_t most_requests, std::size_t lines_per_second)
        : measure_(most_requests), lines_per_second_(lines_per_second) {}

    [[nodiscard]] std::size_t requests() const;
    /// Returns the number of lines that a bulk request should have now.
    [[nodiscard]] std::size_t lines() const;
    /// Returns the greatest size that a bulk request of several lines may have now: the number of bytes after
    /// packing with gzip.
    [[nodiscard]] std::size_t bytes() const;
    void note_size(bool comes_through, std::size_t bytes);

    /// Waits until a request of `lines` lines may be sent. Returns false if the run is stopped first. After
    /// enter() has returned true, leave() has to be called when the request has ended.
    [[nodiscard]] bool enter(std::size_t lines, const std::stop_token& stop);
    /// Notes the end of a request. `pause` is the wait that the service has asked for: no other request is
    /// sent until the pause is over, or five minutes have passed.
    void leave(Load load, std::size_t lines, Clock::duration latency,
               std::optional<std::chrono::seconds> pause);

    /// Returns for how long no request has succeeded (Silence); nothing if there is no request to wait for:
    /// none is under way, and none has to be retried.
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
    Clock::time_point next_line_{};  ///< time when the limit of lines per second lets the next line go
};

}  // namespace data_import::client
