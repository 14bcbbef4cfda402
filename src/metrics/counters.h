// What the shared memory of a Board looks like; for metrics.cc and shares.cc alone.
#pragma once

#include <atomic>
#include <cstdint>

#include "metrics/board.h"

namespace data_import::metrics {

using Count = std::atomic<std::uint64_t>;
using Time = std::atomic<std::int64_t>;

// A lock in shared memory would be held for ever by a worker that dies in it.
static_assert(Count::is_always_lock_free && Time::is_always_lock_free);

/// Workers that are told apart. A reload has the old and the new ones.
constexpr std::size_t places = 2048;

/// Organisations that one worker can have in its hands at the same time, as far as shares go. More than these
/// leave each so little that it does not matter.
constexpr std::size_t holdings = 16;

/// Organisations of a pool whose wishes are remembered.
constexpr std::size_t wishes = 64;
constexpr std::chrono::microseconds wish_lasts = std::chrono::seconds{2};

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

/// That an organisation wanted to work, or a vendor was slow. Two processes that write the same one at
/// the same time leave a wish of one of them, which the next request of the other mends.
struct Wish {
    Count of;
    Time at;  ///< microseconds of the steady clock
};

/// Until when the turns of an organisation are taken. Two organisations that write the same place at the same
/// time lose a turn of one of them.
using Turn = Wish;

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
    std::array<Wish, wishes> wishes_of;
};

/// What a worker holds for an organisation.
struct Holding {
    Count organisation;  ///< 0: the entry is free
    Count requests;      ///< that are not answered
    Count work;          ///< of those that are worked on: a part of the pool
};

/// One worker's. Written by that worker, and by the master before its birth and after its death.
struct Place {
    std::atomic<std::uint32_t> pool_and_one;  ///< 0: the place is free
    std::atomic<std::uint32_t> in_flight;     ///< requests that are worked on
    std::atomic<std::uint32_t> waiting;       ///< requests that wait for their turn, or for a locked account
    Count vendor;                             ///< that it asks, as a number; 0: none
    Time asking_since;                        ///< microseconds of the steady clock
    Time busy_since;  ///< microseconds of the steady clock, which all processes of a machine share
    std::array<Holding, holdings> held;
};

inline std::int64_t steady_now() noexcept {
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

// Zero bytes are the right beginning of all of it.
struct Counters {
    std::array<PoolCounters, pool_names.size()> pools;
    std::array<std::array<Count, statuses.size()>, max_endpoints + 1> requests;
    std::array<Count, max_endpoints> items;
    std::array<SharedHistogram<duration_bounds.size()>, max_endpoints> durations_by_endpoint;
    std::array<Count, database_failure_names.size()> database_failures;
    std::array<Count, vendor_outcome_names.size()> vendor_requests;
    std::array<Wish, wishes> slow_vendors;
    std::array<Turn, wishes> turns;
    Count reloads;
    Count refused_reloads;
    Time started_at;
    Time configured_at;
    Time database_answered_at;
    std::array<Place, places> workers;
    Count places_taken;  ///< no place from here on was ever taken
};

}  // namespace data_import::metrics
