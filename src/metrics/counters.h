// The layout of a Board's shared memory. Private to the folder.
#pragma once

#include <atomic>
#include <cstdint>

#include "metrics/board.h"

namespace data_import::metrics {

using Count = std::atomic<std::uint64_t>;
using Time = std::atomic<std::int64_t>;

// A worker that dies with a lock in shared memory would hold it for ever.
static_assert(Count::is_always_lock_free && Time::is_always_lock_free);

/// Workers that are counted apart. During a reload there are the old and the new ones.
constexpr std::size_t max_worker_slots = 2048;

/// Organisations whose shares are counted in one worker. With more of them, each share is too small to
/// matter.
constexpr std::size_t max_shares = 16;

/// Demands that a pool remembers, one per organisation.
constexpr std::size_t max_demands = 64;
constexpr std::chrono::microseconds demand_lasts = std::chrono::seconds{2};

constexpr auto relaxed = std::memory_order_relaxed;

template <std::size_t size>
struct SharedHistogram {
    std::array<Count, size + 1> buckets;
    Count sum;

    void add(std::size_t bucket, std::uint64_t value) noexcept {
        buckets[bucket].fetch_add(1, relaxed);
        sum.fetch_add(value, relaxed);
    }

    [[nodiscard]] Histogram read() const {
        Histogram histogram;
        for (const Count& bucket : buckets) histogram.buckets.push_back(bucket.load(relaxed));
        histogram.sum = sum.load(relaxed);
        return histogram;
    }
};

/// An organisation, as a number that is not 0.
using Organisation = std::uint64_t;

/// A vendor that takes longer is slow, and taken to be so for a while.
constexpr std::chrono::microseconds vendor_is_slow = std::chrono::seconds{1};
constexpr std::chrono::microseconds slow_lasts = std::chrono::seconds{60};

/// The last time that an organisation wanted to work, or that a vendor was slow. If two processes write one
/// entry at the same time, one demand is lost until that organisation's next request.
struct Demand {
    Count of;
    Time at;  ///< microseconds of the steady clock
};

/// The end of the last turn that an organisation has taken. If two organisations write one entry at the same
/// time, a turn of one of them is lost.
using Turn = Demand;

struct PoolCounters {
    SharedHistogram<duration_bounds.size()> durations;
    SharedHistogram<duration_bounds.size()> queue_waits;
    SharedHistogram<batch_bounds.size()> batches;
    Count received_bytes;
    Count sent_bytes;
    Count workers;
    Count workers_configured;
    Count worker_starts;
    std::array<Count, worker_end_names.size()> worker_ends;
    Count abandoned;
    Count beyond_share;
    Count capacity;
    Count never_refused;  ///< requests of an organisation
    std::array<Demand, max_demands> demands;
};

/// The part of a pool that an organisation has in one worker.
struct Share {
    Count organisation;  ///< 0: the entry is free
    Count requests;      ///< requests that are not answered
    Count work;          ///< part of the pool that its running requests take
};

/// The state of one worker. Written by that worker, and by the master before its start and after its end.
struct WorkerSlot {
    std::atomic<std::uint32_t> pool_and_one;  ///< 0: the slot is free
    std::atomic<std::uint32_t> in_flight;     ///< requests that are worked on
    std::atomic<std::uint32_t> waiting;       ///< requests that wait for their turn, or for a locked account
    Count vendor;                             ///< vendor that it asks, as a number; 0: none
    Time asking_since;                        ///< microseconds of the steady clock
    Time busy_since;  ///< microseconds of the steady clock, which all processes of a machine share
    std::array<Share, max_shares> shares;
};

inline std::int64_t steady_now() noexcept {
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

// All members are valid when their bytes are zero.
struct Counters {
    std::array<PoolCounters, pool_names.size()> pools;
    std::array<std::array<Count, statuses.size()>, max_endpoints + 1> requests;
    std::array<Count, max_endpoints> items;
    std::array<SharedHistogram<duration_bounds.size()>, max_endpoints> durations_by_endpoint;
    std::array<Count, database_failure_names.size()> database_failures;
    std::array<Count, vendor_outcome_names.size()> vendor_requests;
    std::array<Demand, max_demands> slow_vendors;
    std::array<Turn, max_demands> turns;
    Count reloads;
    Count refused_reloads;
    Time started_at;
    Time configured_at;
    Time database_answered_at;
    std::array<WorkerSlot, max_worker_slots> workers;
    Count worker_slots_taken;  ///< slots from here on were never taken
};

}  // namespace data_import::metrics
