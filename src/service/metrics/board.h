// The counters of the service, in memory that the master and all its workers share. Counting locks nothing,
// makes no system call, allocates no memory and never throws. Counting goes on if a worker dies.
//
// The master makes one Board before it forks the first worker, and counts the workers in it. A worker counts
// with the Recorder that `Board::recorder()` returns. The worker keeps the result of `begin` while it works
// on requests from the socket. It calls `count_batch` for the requests of one transaction, and
// `count_database_answer` or `count_database_failure` for the outcome. It calls `count_items` for the records
// that a request stored, and `count_request` when it writes the log line of a request.
//
// An endpoint is known by its index in the router's list (`&endpoint - endpoints.data()`). The text of
// GET /metrics takes the endpoints' names from the same list.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "service/sharing/shares.h"
#include "service/sharing/state.h"

namespace data_import::metrics {

using sharing::Count;
using sharing::index_of;
using sharing::name_of;
using sharing::pool_names;
using sharing::PoolKind;
using sharing::Time;

/// The number of endpoints with counters of their own. Further ones share the last index.
inline constexpr std::size_t max_endpoints = 64;

/// The statuses that are told apart. The last, 0, stands for all others.
inline constexpr std::array<int, 25> statuses{200, 201, 202, 204, 207, 304, 400, 401, 403, 404, 405, 408, 409,
                                              413, 414, 415, 422, 429, 431, 499, 500, 502, 503, 504, 0};

/// Upper bounds of the buckets of request durations. One more bucket counts longer ones.
inline constexpr std::array<std::chrono::microseconds, 15> duration_bounds{
    std::chrono::microseconds{1'000},      std::chrono::microseconds{2'500},
    std::chrono::microseconds{5'000},      std::chrono::microseconds{10'000},
    std::chrono::microseconds{25'000},     std::chrono::microseconds{50'000},
    std::chrono::microseconds{100'000},    std::chrono::microseconds{250'000},
    std::chrono::microseconds{500'000},    std::chrono::microseconds{1'000'000},
    std::chrono::microseconds{2'500'000},  std::chrono::microseconds{5'000'000},
    std::chrono::microseconds{10'000'000}, std::chrono::microseconds{30'000'000},
    std::chrono::microseconds{60'000'000}};

/// Upper bounds of the buckets of batch sizes. One more bucket counts larger ones.
inline constexpr std::array<std::uint64_t, 7> batch_bounds{1, 2, 4, 8, 16, 32, 64};

/// The kinds of failures of a database call, as in data/database/failures.h.
enum class DatabaseFailure : std::size_t { unavailable, schema_missing, outcome_unknown, timed_out, refused };
inline constexpr std::array<std::string_view, 5> database_failure_names{
    "unavailable", "schema_missing", "outcome_unknown", "timed_out", "refused"};

/// The outcome of one HTTP request to a payment vendor, or the reason why none was sent.
enum class VendorOutcome : std::size_t { active, rejected, failed, timed_out, unusable, circuit_open };
inline constexpr std::array<std::string_view, 6> vendor_outcome_names{
    "active", "rejected", "failed", "timed_out", "unusable", "circuit_open"};

/// The reason why a worker process ended.
enum class WorkerEnd : std::size_t {
    stopped,  ///< the worker was told to stop: a reload, fewer workers, or the end of the service
    used_up,  ///< the worker has answered as many requests as `max_requests` allows
    died      ///< the worker ended without being told to
};
inline constexpr std::array<std::string_view, 3> worker_end_names{"stopped", "used_up", "died"};

/// One request that was answered, or whose client was gone.
struct RequestFigures {
    std::optional<std::size_t> endpoint = {};  ///< index of the endpoint; nothing if none was found
    int status = 0;  ///< status of the answer; 0: the client was gone before there was one
    std::chrono::microseconds took{};
    std::size_t received_bytes = 0;  ///< length of the request's body
    std::size_t sent_bytes = 0;      ///< length of the answer's body
};

/// Counts values by buckets: durations in microseconds, or sizes.
template <std::size_t bounds>
struct Histogram {
    /// Count of the values in each bucket, not cumulative. The last bucket is for values above all bounds.
    std::array<Count, bounds + 1> buckets;
    Count sum;

    void add(std::size_t bucket, std::uint64_t value) noexcept {
        buckets[bucket].fetch_add(1, sharing::relaxed);
        sum.fetch_add(value, sharing::relaxed);
    }
};
using Durations = Histogram<duration_bounds.size()>;

/// The figures of one pool.
struct PoolFigures {
    Durations durations;
    Durations queue_waits;
    Histogram<batch_bounds.size()> batches;
    Count received_bytes;
    Count sent_bytes;
    Count workers;             ///< running workers
    Count workers_configured;  ///< workers that should run
    Count worker_starts;
    std::array<Count, worker_end_names.size()> worker_ends;
    Count abandoned;  ///< requests that were dropped because their clients were gone
    // Only Board::read() sets the members below.
    /// Requests answered 429 because they were beyond their organisation's share.
    std::uint64_t beyond_share = 0;
    std::uint64_t workers_busy = 0;  ///< workers that work on requests
    std::uint64_t in_flight = 0;     ///< requests that workers have taken and not answered
    /// The time for which the pool's longest busy worker has been busy without a pause; 0: no worker is busy.
    std::chrono::microseconds longest_busy{};
};

/// All figures, in shared memory or as a copy. The values of a copy are of nearly the same moment, because
/// counting goes on while it is made.
struct Figures {
    std::array<PoolFigures, pool_names.size()> pools;  ///< figures of each pool, in the order of index_of
    /// The number of requests for each endpoint and status. The last index counts requests for which no
    /// endpoint was found.
    std::array<std::array<Count, statuses.size()>, max_endpoints + 1> requests;
    std::array<Count, max_endpoints> items;
    std::array<Durations, max_endpoints> durations_by_endpoint;  ///< durations of each endpoint's requests
    std::array<Count, database_failure_names.size()> database_failures;
    std::array<Count, vendor_outcome_names.size()> vendor_requests;
    Count reloads;
    Count refused_reloads;
    Time started_at;            ///< Unix time of the master's start
    Time configured_at;         ///< Unix time at which a configuration was last taken into use
    Time database_answered_at;  ///< Unix time of the last call that succeeded; 0: none did yet
};

struct Counters;

/// Counts for one worker. Copies of a Recorder count in the same place.
class Recorder {
public:
    /// Shows the worker as busy with requests, for as long as this object lives.
    class Busy {
    public:
        ~Busy();
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;

    private:
        friend class Recorder;
        Busy(const Recorder& recorder, std::size_t requests) noexcept;
        const Recorder& recorder_;
    };

    /// Notes that the worker works on this many requests until the returned Busy ends. There is one Busy at a
    /// time.
    [[nodiscard]] Busy begin(std::size_t requests) const noexcept { return {*this, requests}; }

    /// Notes how many requests of this worker wait, and are not worked on.
    void set_waiting(std::size_t requests) const noexcept;

    /// Returns the shares of the worker's pool, from which the worker takes slots for its requests.
    [[nodiscard]] sharing::Shares shares() const noexcept;

    /// Counts how long a request waited between nginx and its worker.
    void count_queue_wait(std::chrono::microseconds waited) const noexcept;

    /// Counts a request that was dropped unexecuted, because its client was gone.
    void count_abandoned() const noexcept;

    void count_request(const RequestFigures& request) const noexcept;
    /// Counts one database transaction in which this number of requests were carried out.
    void count_batch(std::size_t requests) const noexcept;
    /// Counts records that a request stored. Records that existed already do not count.
    void count_items(std::size_t endpoint, std::size_t items) const noexcept;
    void count_database_answer() const noexcept;
    void count_database_failure(DatabaseFailure failure) const noexcept;
    void count_vendor_request(VendorOutcome outcome) const noexcept;

    /// Returns the number of other workers of the pool that are busy with requests, and began them less than
    /// `recently` ago.
    [[nodiscard]] std::size_t busy_siblings(std::chrono::microseconds recently) const noexcept;

private:
    friend class Board;
    Recorder(Counters& counters, PoolKind pool, std::optional<std::size_t> worker)
        : counters_(&counters), pool_(index_of(pool)), worker_(worker) {}

    Counters* counters_;
    std::size_t pool_;
    std::optional<std::size_t> worker_;
};

/// The shared memory. The master makes it before the first fork, and it lives as long as the process.
class Board {
public:
    /// Throws std::runtime_error if there is no memory.
    Board();
    ~Board();
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;

    // The functions below are for the master.

    /// Has to be called before the fork of a worker. `end_worker` has to be called when the worker has ended,
    /// or if the fork fails.
    Recorder start_worker(PoolKind pool) noexcept;
    /// Notes the end of a worker. Its requests are no longer in flight.
    void end_worker(const Recorder& recorder, WorkerEnd end) noexcept;
    void set_workers_configured(PoolKind pool, std::size_t workers) noexcept;
    /// Sets the pool's capacity `work`: how much work of all organisations fits into the pool at a time, in
    /// bytes or requests. While an organisation has fewer than `never_refused` requests in flight, its
    /// requests beyond its share wait instead of being refused.
    void set_capacity(PoolKind pool, std::uint64_t work, std::uint64_t never_refused = 0) noexcept;
    void count_reload(bool is_taken) noexcept;

    /// Returns the recorder that `start_worker` returned last. In a worker, after the fork, this is the
    /// worker's own.
    [[nodiscard]] const Recorder& recorder() const { return latest_; }

    /// Reads the figures, in any process of the service.
    [[nodiscard]] Figures read() const;

private:
    Counters* counters_;
    Recorder latest_;
};

}  // namespace data_import::metrics
