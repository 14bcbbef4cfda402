// What the service counts, in memory that the master and all its workers share. Counting takes no lock, no
// system call and no memory, never throws, and survives the death of any worker.
//
// The master makes one Board before it forks the first worker and counts the workers there. In a worker,
// `Board::recorder()` is what it counts with: `begin` stays around what was taken from the socket,
// `count_batch` goes with what is sent to the database together, `count_database_answer` and
// `count_database_failure` with how that ended, `count_items` with what a request stored,
// `count_request` with the log line of each.
//
// An endpoint is its index in the list that the router goes by (`&endpoint - endpoints.data()`); whoever
// prints the figures names them from the same list.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "metrics/pool_kind.h"

namespace data_import::metrics {

/// More endpoints than this share the last place.
inline constexpr std::size_t max_endpoints = 64;

/// The statuses that are told apart; the last, 0, stands for all others.
inline constexpr std::array<int, 25> statuses{200, 201, 202, 204, 207, 304, 400, 401, 403, 404, 405, 408, 409,
                                              413, 414, 415, 422, 429, 431, 499, 500, 502, 503, 504, 0};

/// Upper bounds of the buckets of request durations; one more bucket holds what took longer.
inline constexpr std::array<std::chrono::microseconds, 15> duration_bounds{
    std::chrono::microseconds{1'000},      std::chrono::microseconds{2'500},
    std::chrono::microseconds{5'000},      std::chrono::microseconds{10'000},
    std::chrono::microseconds{25'000},     std::chrono::microseconds{50'000},
    std::chrono::microseconds{100'000},    std::chrono::microseconds{250'000},
    std::chrono::microseconds{500'000},    std::chrono::microseconds{1'000'000},
    std::chrono::microseconds{2'500'000},  std::chrono::microseconds{5'000'000},
    std::chrono::microseconds{10'000'000}, std::chrono::microseconds{30'000'000},
    std::chrono::microseconds{60'000'000}};

/// Upper bounds of the buckets of batch sizes; one more bucket holds larger ones.
inline constexpr std::array<std::uint64_t, 7> batch_bounds{1, 2, 4, 8, 16, 32, 64};

/// The failures of a database call that database/failures.h tells apart.
enum class DatabaseFailure : std::size_t { unavailable, schema_missing, outcome_unknown, timed_out, refused };
inline constexpr std::array<std::string_view, 5> database_failure_names{
    "unavailable", "schema_missing", "outcome_unknown", "timed_out", "refused"};

/// How one HTTP request to a payment vendor ended, or why none was sent.
enum class VendorOutcome : std::size_t { active, rejected, failed, timed_out, unusable, circuit_open };
inline constexpr std::array<std::string_view, 6> vendor_outcome_names{
    "active", "rejected", "failed", "timed_out", "unusable", "circuit_open"};

/// Why a worker process ended.
enum class WorkerEnd : std::size_t {
    stopped,  ///< it was told to, because of a reload, fewer workers, or the end of the service
    used_up,  ///< it has answered max_requests
    died      ///< nobody wanted it to
};
inline constexpr std::array<std::string_view, 3> worker_end_names{"stopped", "used_up", "died"};

/// One request that was answered, or whose client was gone.
struct RequestFigures {
    std::optional<std::size_t> endpoint = {};  ///< index; nothing where none was found
    int status = 0;                            ///< 0: the client was gone before there was an answer
    std::chrono::microseconds took{};
    std::size_t received_bytes = 0;  ///< of the body
    std::size_t sent_bytes = 0;      ///< of the body
};

struct Histogram {
    std::vector<std::uint64_t> buckets;  ///< not cumulative; one more than there are bounds
    std::uint64_t sum = 0;               ///< microseconds, or requests
};

/// The figures of one pool.
struct PoolFigures {
    Histogram durations;
    Histogram queue_waits;
    Histogram batches;
    std::uint64_t received_bytes = 0;
    std::uint64_t sent_bytes = 0;
    std::uint64_t workers = 0;             ///< that run
    std::uint64_t workers_busy = 0;        ///< that have requests in their hands
    std::uint64_t workers_configured = 0;  ///< that should run
    std::uint64_t worker_starts = 0;
    std::array<std::uint64_t, worker_end_names.size()> worker_ends{};
    std::uint64_t abandoned = 0;               ///< requests that were dropped because their clients were gone
    std::uint64_t beyond_share = 0;            ///< requests that were refused for the sake of others
    std::uint64_t in_flight = 0;               ///< requests that workers have taken and not answered
    std::chrono::microseconds longest_busy{};  ///< since when the longest of them is being worked on
};

/// All figures as they stood at one moment, give or take what was counted meanwhile.
struct Figures {
    std::array<PoolFigures, pool_names.size()> pools;  ///< by index_of
    /// By endpoint and status; the last endpoint stands for requests that none was found for.
    std::array<std::array<std::uint64_t, statuses.size()>, max_endpoints + 1> requests{};
    std::array<std::uint64_t, max_endpoints> items{};
    std::vector<Histogram> durations_by_endpoint;  ///< by index
    std::array<std::uint64_t, database_failure_names.size()> database_failures{};
    std::array<std::uint64_t, vendor_outcome_names.size()> vendor_requests{};
    std::uint64_t reloads = 0;
    std::uint64_t refused_reloads = 0;
    std::int64_t started_at = 0;            ///< Unix time of the master's start
    std::int64_t configured_at = 0;         ///< Unix time of the last configuration that was taken
    std::int64_t database_answered_at = 0;  ///< Unix time; 0: never yet
};

struct Counters;

/// What one worker counts with. Copies count in the same place.
class Recorder {
public:
    /// Requests in a worker's hands, for as long as this lives.
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

    /// A request of an organisation that is in flight for as long as this lives, and the part of the pool
    /// that it holds while it is worked on.
    class Slot {
    public:
        Slot(Slot&& other) noexcept;
        Slot& operator=(Slot&&) = delete;
        ~Slot();

        /// True: it may be worked on, and holds its part of the pool. False: its organisation has its share,
        /// and others want theirs. It gets its part in any case where it has `waited_long`.
        [[nodiscard]] bool begin_work(bool waited_long) noexcept;
        /// Gives its part back to others until it is worked on again.
        void pause_work() noexcept;

    private:
        friend class Recorder;
        Slot(Counters* counters, std::size_t pool, std::size_t place, std::size_t entry,
             std::uint64_t work) noexcept
            : counters_(counters), pool_(pool), place_(place), entry_(entry), work_(work) {}
        void hold_work() noexcept;

        Counters* counters_;  ///< null: nothing is held
        std::size_t pool_;
        std::size_t place_;
        std::size_t entry_;
        std::uint64_t work_;
        bool is_working_ = false;
    };

    /// A payment vendor is being asked, for as long as this lives.
    class Asking {
    public:
        Asking() noexcept : Asking(nullptr, 0) {}
        Asking(Asking&& other) noexcept;
        Asking& operator=(Asking&&) = delete;
        ~Asking();

    private:
        friend class Recorder;
        Asking(Counters* counters, std::size_t place) noexcept : counters_(counters), place_(place) {}
        Counters* counters_;  ///< null: nothing is told of it
        std::size_t place_;
    };

    /// These requests are now being worked on. One Busy at a time.
    [[nodiscard]] Busy begin(std::size_t requests) const noexcept { return {*this, requests}; }

    /// Takes a request of this organisation, and so much of the pool for it. An organisation is beyond its
    /// share when it holds a part of the pool, this one makes it more than its share, another organisation
    /// wants to work, too (has come to the pool within the last two seconds, or to another one with an
    /// import, where the pool is that for bulk requests), and less than half of the pool is left. Beyond it a
    /// request has to wait for its turn (`begin_work`), or gets nothing here where so many as are never
    /// refused are in flight.
    [[nodiscard]] std::optional<Slot> take_slot(std::string_view organisation,
                                                std::uint64_t work) const noexcept;

    /// Whether one more of the organisation's requests, which is counted already, may wait for a locked
    /// account: as many may as are never refused, at least one, and 64 while nobody else wants to work.
    [[nodiscard]] bool may_wait_for_account(std::string_view organisation) const noexcept;

    /// So many requests of this worker wait now, and are not worked on.
    void set_waiting(std::size_t requests) const noexcept;

    /// Whether a request in that pool would be beyond its organisation's share at this moment.
    [[nodiscard]] bool is_beyond_share(PoolKind pool, std::string_view organisation,
                                       std::uint64_t work) const noexcept;

    /// When the next of an organisation's requests of one kind may end, where each takes `interval` of its
    /// time: its turn, from now on. What was not used is not saved up.
    [[nodiscard]] std::chrono::microseconds take_turn(std::string_view organisation,
                                                      std::chrono::microseconds interval) const noexcept;

    /// A request for that pool was refused because of it.
    void count_beyond_share(PoolKind pool) const noexcept;

    /// Nothing when three quarters of the pool's workers ask this vendor already, and one of them has for a
    /// second, or has had to within the last minute: the others are for another vendor. One Asking at a time.
    [[nodiscard]] std::optional<Asking> ask_vendor(std::string_view vendor) const noexcept;

    /// Whether nobody else wants to work in the pool; in `bulk`, to import anything.
    [[nodiscard]] bool is_alone(std::string_view organisation) const noexcept;

    /// Whether anybody else imports by requests that wait for no long ones.
    [[nodiscard]] bool is_beside_short_imports(std::string_view organisation) const noexcept;

    /// Whether several organisations want to work in the pool.
    [[nodiscard]] bool is_shared() const noexcept;

    /// A request that was taken had waited so long since nginx handed it over.
    void count_queue_wait(std::chrono::microseconds waited) const noexcept;

    /// A request was dropped unexecuted, since nobody would have read its answer.
    void count_abandoned() const noexcept;

    void count_request(const RequestFigures& request) const noexcept;
    /// A transaction that held the calls of so many requests.
    void count_batch(std::size_t requests) const noexcept;
    /// Records that a request stored, without those that were there already.
    void count_items(std::size_t endpoint, std::size_t items) const noexcept;
    void count_database_answer() const noexcept;
    void count_database_failure(DatabaseFailure failure) const noexcept;
    void count_vendor_request(VendorOutcome outcome) const noexcept;

    /// How many other workers of the pool have begun with the requests in their hands less than `recently`
    /// ago, and work on them.
    [[nodiscard]] std::size_t busy_siblings(std::chrono::microseconds recently) const noexcept;

private:
    friend class Board;
    Recorder(Counters& counters, PoolKind pool, std::optional<std::size_t> place)
        : counters_(&counters), pool_(index_of(pool)), place_(place) {}

    Counters* counters_;
    std::size_t pool_;
    std::optional<std::size_t> place_;
};

/// The shared memory. Made by the master before the first fork; lives as long as the process.
class Board {
public:
    /// Throws std::runtime_error when there is no memory.
    Board();
    ~Board();
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;

    // What the master counts.

    /// Before the fork of a worker. `end_worker` has to follow some time, when the fork fails as well.
    Recorder start_worker(PoolKind pool) noexcept;
    /// What the worker had in its hands is not in flight any more.
    void end_worker(const Recorder& recorder, WorkerEnd end) noexcept;
    void set_workers_configured(PoolKind pool, std::size_t workers) noexcept;
    /// How much work of all organisations fits into the pool at the same time, in units of its own choice,
    /// and how many requests in flight of an organisation wait for their turn instead of being refused.
    void set_capacity(PoolKind pool, std::uint64_t work, std::uint64_t never_refused = 0) noexcept;
    void count_reload(bool is_taken) noexcept;

    /// What the process counts with that was forked after the last `start_worker`.
    [[nodiscard]] const Recorder& recorder() const { return latest_; }

    /// For readers in any process of the service.
    [[nodiscard]] Figures read() const;

private:
    Counters* counters_;
    Recorder latest_;
};

}  // namespace data_import::metrics
