// The layout of a Board's shared memory. Private to the folder.
#pragma once

#include <atomic>
#include <cstdint>

#include "metrics/board.h"
#include "sharing/state.h"

namespace data_import::metrics {

using sharing::Count;
using sharing::relaxed;
using sharing::steady_now;
using sharing::Time;

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
};

/// The state of one worker. Written by that worker, and by the master before its start and after its end.
struct WorkerCounters {
    std::atomic<std::uint32_t> pool_and_one;  ///< 0: there is no such worker
    std::atomic<std::uint32_t> in_flight;     ///< requests that are worked on
    std::atomic<std::uint32_t> waiting;       ///< requests that wait for their turn, or for a locked account
    Time busy_since;
};

// All members are valid when their bytes are zero.
struct Counters {
    std::array<PoolCounters, sharing::pool_names.size()> pools;
    std::array<std::array<Count, statuses.size()>, max_endpoints + 1> requests;
    std::array<Count, max_endpoints> items;
    std::array<SharedHistogram<duration_bounds.size()>, max_endpoints> durations_by_endpoint;
    std::array<Count, database_failure_names.size()> database_failures;
    std::array<Count, vendor_outcome_names.size()> vendor_requests;
    Count reloads;
    Count refused_reloads;
    Time started_at;
    Time configured_at;
    Time database_answered_at;
    std::array<WorkerCounters, sharing::most_workers> workers;
    sharing::State sharing;
};

}  // namespace data_import::metrics
