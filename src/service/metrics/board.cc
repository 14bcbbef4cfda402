#include "service/metrics/board.h"

#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include "base/util/failure.h"

namespace data_import::metrics {

using sharing::relaxed;
using sharing::steady_now;

/// The state of one worker. Written by that worker, and by the master before its start and after its end.
struct WorkerCounters {
    std::atomic<std::uint32_t> in_flight;  ///< requests that the worker works on now
    /// Requests that wait for their organisation's share, or for a locked account.
    std::atomic<std::uint32_t> waiting;
    Time busy_since;

    void clear() noexcept {
        in_flight.store(0, relaxed);
        waiting.store(0, relaxed);
    }
};

// The shared memory is zero at first, so all members have to be valid when their bytes are zero.
struct Counters {
    Figures figures;
    std::array<WorkerCounters, sharing::most_workers> workers;
    sharing::State sharing;
};

namespace {

std::int64_t unix_now() noexcept {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
}

template <typename Bounds, typename Value>
std::size_t bucket_of(const Bounds& bounds, const Value& value) noexcept {
    return static_cast<std::size_t>(std::lower_bound(bounds.begin(), bounds.end(), value) - bounds.begin());
}

std::size_t index_of_status(int status) noexcept {
    const auto found = std::find(statuses.begin(), statuses.end() - 1, status);
    return static_cast<std::size_t>(found - statuses.begin());
}

void* map_memory() {
    void* memory = mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) util::fail("no shared memory for the metrics");
    return memory;
}

void add_workers(const Counters& counters, Figures& figures) {
    const std::int64_t now = steady_now();
    for (std::size_t number = 0; number < counters.sharing.workers_used; ++number) {
        const WorkerCounters& worker = counters.workers[number];
        const std::uint32_t pool = counters.sharing.workers[number].pool_and_one.load(relaxed);
        if (pool == 0) continue;
        const std::uint32_t in_flight = worker.in_flight.load(std::memory_order_acquire);
        PoolFigures& target = figures.pools[pool - 1];
        target.in_flight += in_flight + worker.waiting.load(relaxed);
        if (in_flight == 0) continue;
        ++target.workers_busy;
        const std::chrono::microseconds busy{now - worker.busy_since.load(relaxed)};
        target.longest_busy = std::max(target.longest_busy, busy);
    }
}

}  // namespace

Recorder::Busy::Busy(const Recorder& recorder, std::size_t requests) noexcept : recorder_(recorder) {
    if (!recorder_.worker_) return;
    WorkerCounters& worker = recorder_.counters_->workers[*recorder_.worker_];
    worker.busy_since.store(steady_now(), relaxed);
    worker.in_flight.store(static_cast<std::uint32_t>(requests), std::memory_order_release);
}

Recorder::Busy::~Busy() {
    if (recorder_.worker_) recorder_.counters_->workers[*recorder_.worker_].in_flight.store(0, relaxed);
}

void Recorder::count_request(const RequestFigures& request) const noexcept {
    const std::size_t endpoint =
        request.endpoint ? std::min(*request.endpoint, max_endpoints - 1) : max_endpoints;
    counters_->figures.requests[endpoint][index_of_status(request.status)].fetch_add(1, relaxed);
    PoolFigures& pool = counters_->figures.pools[pool_];
    const auto took = std::max(request.took, std::chrono::microseconds::zero());
    const std::size_t bucket = bucket_of(duration_bounds, took);
    const auto microseconds = static_cast<std::uint64_t>(took.count());
    pool.durations.add(bucket, microseconds);
    if (request.endpoint) counters_->figures.durations_by_endpoint[endpoint].add(bucket, microseconds);
    pool.received_bytes.fetch_add(request.received_bytes, relaxed);
    pool.sent_bytes.fetch_add(request.sent_bytes, relaxed);
}

void Recorder::count_queue_wait(std::chrono::microseconds waited) const noexcept {
    counters_->figures.pools[pool_].queue_waits.add(bucket_of(duration_bounds, waited),
                                                    static_cast<std::uint64_t>(waited.count()));
}

void Recorder::count_batch(std::size_t requests) const noexcept {
    counters_->figures.pools[pool_].batches.add(bucket_of(batch_bounds, std::uint64_t{requests}), requests);
}

void Recorder::count_items(std::size_t endpoint, std::size_t items) const noexcept {
    counters_->figures.items[std::min(endpoint, max_endpoints - 1)].fetch_add(items, relaxed);
}

void Recorder::count_database_answer() const noexcept {
    counters_->figures.database_answered_at.store(unix_now(), relaxed);
}

void Recorder::count_database_failure(DatabaseFailure failure) const noexcept {
    counters_->figures.database_failures[static_cast<std::size_t>(failure)].fetch_add(1, relaxed);
}

void Recorder::count_vendor_request(VendorOutcome outcome) const noexcept {
    counters_->figures.vendor_requests[static_cast<std::size_t>(outcome)].fetch_add(1, relaxed);
}

std::size_t Recorder::busy_siblings(std::chrono::microseconds recently) const noexcept {
    const std::int64_t now = steady_now();
    std::size_t busy = 0;
    const std::uint64_t used = counters_->sharing.workers_used.load(relaxed);
    for (std::size_t number = 0; number < used; ++number) {
        const WorkerCounters& sibling = counters_->workers[number];
        if (number == worker_ || counters_->sharing.workers[number].pool_and_one.load(relaxed) != pool_ + 1)
            continue;
        const bool has_requests = sibling.in_flight.load(std::memory_order_acquire) > 0;
        if (has_requests && now - sibling.busy_since.load(relaxed) < recently.count()) ++busy;
    }
    return busy;
}

void Recorder::count_abandoned() const noexcept {
    counters_->figures.pools[pool_].abandoned.fetch_add(1, relaxed);
}

sharing::Shares Recorder::shares() const noexcept {
    return {counters_->sharing, static_cast<PoolKind>(pool_), worker_};
}

void Recorder::set_waiting(std::size_t requests) const noexcept {
    if (worker_) counters_->workers[*worker_].waiting.store(static_cast<std::uint32_t>(requests), relaxed);
}

Board::Board()
    : counters_(new (map_memory()) Counters{}), latest_(*counters_, PoolKind::import, std::nullopt) {
    counters_->figures.started_at = unix_now();
    counters_->figures.configured_at = unix_now();
}

Board::~Board() {
    munmap(counters_, sizeof(Counters));
}

Recorder Board::start_worker(PoolKind pool) noexcept {
    PoolFigures& counters = counters_->figures.pools[index_of(pool)];
    counters.workers.fetch_add(1, relaxed);
    counters.worker_starts.fetch_add(1, relaxed);
    const auto& all = counters_->sharing.workers;
    const auto free =
        std::ranges::find_if(all, [](const auto& one) { return one.pool_and_one.load(relaxed) == 0; });
    std::optional<std::size_t> worker;
    if (free != all.end()) {
        worker = static_cast<std::size_t>(free - all.begin());
        counters_->workers[*worker].clear();
        counters_->sharing.begin_worker(*worker, pool);
    }
    latest_ = Recorder(*counters_, pool, worker);
    return latest_;
}

void Board::end_worker(const Recorder& recorder, WorkerEnd end) noexcept {
    PoolFigures& counters = counters_->figures.pools[recorder.pool_];
    counters.workers.fetch_sub(1, relaxed);
    counters.worker_ends[static_cast<std::size_t>(end)].fetch_add(1, relaxed);
    if (!recorder.worker_) return;
    counters_->workers[*recorder.worker_].clear();
    counters_->sharing.end_worker(*recorder.worker_);
}

void Board::set_workers_configured(PoolKind pool, std::size_t workers) noexcept {
    counters_->figures.pools[index_of(pool)].workers_configured.store(workers, relaxed);
}

void Board::set_capacity(PoolKind pool, std::uint64_t work, std::uint64_t never_refused) noexcept {
    sharing::PoolState& state = counters_->sharing.pools[index_of(pool)];
    state.capacity.store(work, relaxed);
    state.never_refused.store(never_refused, relaxed);
}

void Board::count_reload(bool is_taken) noexcept {
    (is_taken ? counters_->figures.reloads : counters_->figures.refused_reloads).fetch_add(1, relaxed);
    if (is_taken) counters_->figures.configured_at.store(unix_now(), relaxed);
}

Figures Board::read() const {
    Figures figures = counters_->figures;
    for (std::size_t pool = 0; pool < figures.pools.size(); ++pool)
        figures.pools[pool].beyond_share = counters_->sharing.pools[pool].refused;
    add_workers(*counters_, figures);
    return figures;
}

}  // namespace data_import::metrics
