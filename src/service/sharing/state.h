// The shared memory with the slot counts of organisations. Only metrics/ and shares.cc may use it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "service/sharing/shares.h"

namespace data_import::sharing {

constexpr auto relaxed = std::memory_order_relaxed;

/// A number in memory that all processes share. A copy has the value at the time of copying.
template <typename Number>
struct Shared : std::atomic<Number> {
    // A worker that dies with a lock in shared memory would hold it for ever.
    static_assert(std::atomic<Number>::is_always_lock_free);

    Shared() = default;
    Shared(const Shared& other) noexcept : std::atomic<Number>(other.load(relaxed)) {}
    using std::atomic<Number>::operator=;
};
using Count = Shared<std::uint64_t>;
/// Time in microseconds of the steady clock, unless the comment of a member says otherwise.
using Time = Shared<std::int64_t>;

inline std::int64_t steady_now() noexcept {
    using namespace std::chrono;
    return duration_cast<microseconds>(steady_clock::now().time_since_epoch()).count();
}

/// The greatest number of workers with counters of their own. Old and new workers need them at the same time
/// during a reload.
constexpr std::size_t most_workers = 2048;

/// The greatest number of organisations that one worker counts at a time. The requests of further
/// organisations are not counted: among so many, each has too few to matter.
constexpr std::size_t most_slot_counts = 16;

/// The number of entries in each array of Demand. If all entries are taken, a further organisation or vendor
/// gets the entry with the oldest time.
constexpr std::size_t most_demands = 64;

/// The hash of the name of an organisation or a vendor; never 0.
using NameHash = std::uint64_t;

/// An organisation or a vendor, with a time. If two processes write into the same entry at the same time, one
/// of their two names is lost, until the next request with that name writes it again.
struct Demand {
    Count of;  ///< hash of the name of the organisation or vendor; 0: the entry is free
    /// In PoolState::demands: time when the organisation last asked for work. In State::slow_vendors: time
    /// when the vendor was last slow. In State::turns: time when the organisation's last turn ends.
    Time at;
};

struct PoolState {
    Count capacity;
    /// An organisation with fewer requests in flight than this is never refused: its requests beyond its
    /// share wait instead.
    Count never_refused;
    Count refused;  ///< number of requests refused because they were beyond their organisation's share
    std::array<Demand, most_demands> demands;
};

/// The requests and the work of an organisation in one worker.
struct SlotCount {
    Count organisation;  ///< hash of its name; 0: the entry is free
    Count requests;      ///< requests that are not answered yet
    Count work;          ///< part of the pool taken by requests that are worked on
};

/// The counters of one worker. The worker writes them, and the master before the worker starts and after it
/// ends.
struct WorkerState {
    std::atomic<std::uint32_t> pool_and_one;  ///< index of its pool plus 1; 0: there is no such worker
    Count vendor;  ///< hash of the payment vendor that the worker asks now; 0: none
    Time asking_since;
    std::array<SlotCount, most_slot_counts> slot_counts;

    void reset(std::uint32_t pool_and_one_of_next) noexcept {
        vendor.store(0, relaxed);
        for (SlotCount& slots : slot_counts) {
            slots.organisation.store(0, relaxed);
            slots.requests.store(0, relaxed);
            slots.work.store(0, relaxed);
        }
        pool_and_one.store(pool_and_one_of_next, relaxed);
    }
};

// The shared memory is zero at first, so all members have to be valid when their bytes are zero.
struct State {
    std::array<PoolState, pool_names.size()> pools;
    std::array<WorkerState, most_workers> workers;
    Count workers_used;  ///< one more than the highest index of a worker started so far
    std::array<Demand, most_demands> slow_vendors;
    std::array<Demand, most_demands> turns;  ///< the last turn of each organisation; `at` is its end

    void begin_worker(std::size_t number, PoolKind pool) noexcept {
        workers[number].reset(static_cast<std::uint32_t>(index_of(pool) + 1));
        workers_used.store(std::max<std::uint64_t>(workers_used.load(relaxed), number + 1), relaxed);
    }
    void end_worker(std::size_t number) noexcept { workers[number].reset(0); }
};

}  // namespace data_import::sharing
