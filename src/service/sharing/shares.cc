#include "service/sharing/shares.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "service/sharing/state.h"

namespace data_import::sharing {

namespace {

constexpr std::chrono::microseconds demand_lasts = std::chrono::seconds{2};

/// A vendor whose answer takes this long is slow, and counts as slow for `slow_lasts`.
constexpr std::chrono::microseconds vendor_is_slow = std::chrono::seconds{1};
constexpr std::chrono::microseconds slow_lasts = std::chrono::seconds{60};

NameHash hash_of(std::string_view name) noexcept {
    return std::max<NameHash>(std::hash<std::string_view>()(name), 1);
}

std::uint64_t count_others(const PoolState& pool, NameHash organisation, std::int64_t now) noexcept {
    return static_cast<std::uint64_t>(std::ranges::count_if(pool.demands, [&](const Demand& demand) {
        const NameHash other = demand.of.load(relaxed);
        return other != 0 && other != organisation && now - demand.at.load(relaxed) < demand_lasts.count();
    }));
}

/// Returns the number of other organisations that send short imports. This is the greater of their counts in
/// the pools import and vendor, and not the sum, because an organisation may be in both pools.
std::uint64_t count_importing_others(const State& state, NameHash organisation, std::int64_t now) noexcept {
    return std::max(count_others(state.pools[index_of(PoolKind::import)], organisation, now),
                    count_others(state.pools[index_of(PoolKind::vendor)], organisation, now));
}

/// Returns the number of organisations other than `organisation` that share the pool. In the pool bulk,
/// organisations that import in the pools import and vendor count, too.
///
/// The pool bulk counts these organisations, because its requests keep processors and database busy for long.
std::uint64_t count_sharers(const State& state, std::size_t pool, NameHash organisation,
                            std::int64_t now) noexcept {
    const std::uint64_t others = count_others(state.pools[pool], organisation, now);
    if (pool != index_of(PoolKind::bulk)) return others;
    return std::max(others, count_importing_others(state, organisation, now));
}

/// Returns the entry with this name. If there is none, returns the entry that was written longest ago, so
/// that the caller can use it for this name.
template <typename Entries>
Demand& entry_of(Entries& all, NameHash of) noexcept {
    Demand* found = all.data();
    for (Demand& entry : all) {
        if (entry.of.load(relaxed) == of) return entry;
        if (entry.at.load(relaxed) < found->at.load(relaxed)) found = &entry;
    }
    return *found;
}

template <typename Entries>
void note_demand(Entries& all, NameHash of, std::int64_t now) noexcept {
    Demand& entry = entry_of(all, of);
    entry.of.store(of, relaxed);
    entry.at.store(now, relaxed);
}

/// Sums over the workers of a pool: the work of all organisations, and the work and the requests in flight of
/// one organisation. Work is the part of the pool that requests take while they are worked on.
struct InHand {
    std::uint64_t work = 0;
    std::uint64_t work_of_one = 0;
    std::uint64_t requests_of_one = 0;
};

InHand in_hand(const State& state, std::size_t pool, NameHash organisation) noexcept {
    InHand sum;
    const std::uint64_t used = state.workers_used.load(relaxed);
    for (std::size_t number = 0; number < used; ++number) {
        const WorkerState& worker = state.workers[number];
        if (worker.pool_and_one.load(relaxed) != pool + 1) continue;
        for (const SlotCount& slots : worker.slot_counts) {
            const NameHash of = slots.organisation.load(relaxed);
            if (of == 0) continue;
            const std::uint64_t work = slots.work.load(relaxed);
            sum.work += work;
            if (of != organisation) continue;
            sum.work_of_one += work;
            sum.requests_of_one += slots.requests.load(relaxed);
        }
    }
    return sum;
}

bool goes_beyond_share(State& state, std::size_t pool, NameHash organisation, std::uint64_t work) noexcept {
    PoolState& own = state.pools[pool];
    const std::int64_t now = steady_now();
    note_demand(own.demands, organisation, now);
    const std::uint64_t others = count_sharers(state, pool, organisation, now);
    if (others == 0) return false;
    const InHand sum = in_hand(state, pool, organisation);
    const std::uint64_t capacity = own.capacity.load(relaxed);
    return sum.work_of_one > 0 && sum.work_of_one + work > capacity / (others + 1) &&
           sum.work + work > capacity / 2;
}

/// Returns the worker's entry for the organisation, or a free one; null if there is none.
SlotCount* slot_count_of(WorkerState& worker, NameHash organisation) noexcept {
    for (const NameHash wanted : {organisation, NameHash{0}}) {
        auto* const found = std::ranges::find_if(worker.slot_counts, [&](const SlotCount& slots) {
            return slots.organisation.load(relaxed) == wanted;
        });
        if (found != worker.slot_counts.end()) return found;
    }
    return nullptr;
}

}  // namespace

Slot::Slot(Slot&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)),
      pool_(other.pool_),
      worker_(other.worker_),
      entry_(other.entry_),
      work_(other.work_),
      is_working_(other.is_working_) {}

Slot::~Slot() {
    if (state_ == nullptr) return;
    pause_work();
    SlotCount& slots = state_->workers[worker_].slot_counts[entry_];
    if (slots.requests.fetch_sub(1, relaxed) == 1) slots.organisation.store(0, relaxed);
}

void Slot::take_work() noexcept {
    if (state_ == nullptr || std::exchange(is_working_, true)) return;
    state_->workers[worker_].slot_counts[entry_].work.fetch_add(work_, relaxed);
}

void Slot::pause_work() noexcept {
    if (state_ == nullptr || !std::exchange(is_working_, false)) return;
    state_->workers[worker_].slot_counts[entry_].work.fetch_sub(work_, relaxed);
}

bool Slot::begin_work(bool waited_long) noexcept {
    if (state_ == nullptr || is_working_) return true;
    const NameHash organisation = state_->workers[worker_].slot_counts[entry_].organisation.load(relaxed);
    if (!waited_long && goes_beyond_share(*state_, pool_, organisation, work_)) return false;
    take_work();
    return true;
}

Asking::Asking(Asking&& other) noexcept
    : state_(std::exchange(other.state_, nullptr)), worker_(other.worker_) {}

Asking::~Asking() {
    if (state_ == nullptr) return;
    WorkerState& worker = state_->workers[worker_];
    const std::int64_t now = steady_now();
    if (now - worker.asking_since.load(relaxed) >= vendor_is_slow.count())
        note_demand(state_->slow_vendors, worker.vendor.load(relaxed), now);
    worker.vendor.store(0, relaxed);
}

std::optional<Slot> Shares::take_slot(std::string_view organisation, std::uint64_t work) const noexcept {
    const NameHash wanted = hash_of(organisation);
    PoolState& pool = state_->pools[pool_];
    const bool is_beyond = goes_beyond_share(*state_, pool_, wanted, work);
    if (is_beyond && in_hand(*state_, pool_, wanted).requests_of_one >= pool.never_refused.load(relaxed)) {
        pool.refused.fetch_add(1, relaxed);
        return std::nullopt;
    }
    if (!worker_) return Slot(nullptr, 0, 0, 0, 0);
    WorkerState& worker = state_->workers[*worker_];
    SlotCount* const slots = slot_count_of(worker, wanted);
    if (slots == nullptr) return Slot(nullptr, 0, 0, 0, 0);
    slots->requests.fetch_add(1, relaxed);
    slots->organisation.store(wanted, relaxed);
    Slot slot(state_, pool_, *worker_, static_cast<std::size_t>(slots - worker.slot_counts.data()), work);
    if (!is_beyond) slot.take_work();
    return slot;
}

bool Shares::may_wait_for_account(std::string_view organisation) const noexcept {
    if (is_alone(organisation)) return true;
    const std::uint64_t never_refused = state_->pools[pool_].never_refused.load(relaxed);
    return in_hand(*state_, pool_, hash_of(organisation)).requests_of_one <=
           std::max<std::uint64_t>(never_refused, 1);
}

bool Shares::is_beyond_share(PoolKind pool, std::string_view organisation,
                             std::uint64_t work) const noexcept {
    return goes_beyond_share(*state_, index_of(pool), hash_of(organisation), work);
}

void Shares::count_refused(PoolKind pool) const noexcept {
    state_->pools[index_of(pool)].refused.fetch_add(1, relaxed);
}

// Two requests may take a turn in the same entry at the same time. So the entry is written only if it still
// has the value that was read; otherwise it is read again.
std::chrono::microseconds Shares::take_turn(std::string_view organisation, std::chrono::microseconds interval,
                                            std::size_t most) const noexcept {
    const NameHash wanted = hash_of(organisation);
    Demand& entry = entry_of(state_->turns, wanted);
    const std::int64_t now = steady_now();
    if (entry.of.exchange(wanted, relaxed) != wanted) entry.at.store(0, relaxed);
    std::int64_t taken = entry.at.load(relaxed);
    std::int64_t begin = 0;
    const std::int64_t last = now + interval.count() * static_cast<std::int64_t>(most - 1);
    do {
        begin = std::clamp(taken, now, last);
    } while (!entry.at.compare_exchange_weak(taken, begin + interval.count(), relaxed));
    return std::chrono::microseconds(begin - now);
}

void Shares::give_turn_back(std::string_view organisation,
                            std::chrono::microseconds interval) const noexcept {
    const NameHash wanted = hash_of(organisation);
    Demand& entry = entry_of(state_->turns, wanted);
    if (entry.of.load(relaxed) == wanted) entry.at.fetch_sub(interval.count(), relaxed);
}

std::optional<Asking> Shares::ask_vendor(std::string_view vendor) const noexcept {
    if (!worker_) return Asking();
    const NameHash wanted = hash_of(vendor);
    const std::int64_t now = steady_now();
    bool is_slow = std::ranges::any_of(state_->slow_vendors, [&](const Demand& slow) {
        return slow.of.load(relaxed) == wanted && now - slow.at.load(relaxed) < slow_lasts.count();
    });
    std::uint64_t workers = 0;
    std::uint64_t asking = 0;
    for (std::size_t number = 0; number < state_->workers_used.load(relaxed); ++number) {
        const WorkerState& worker = state_->workers[number];
        if (worker.pool_and_one.load(relaxed) != pool_ + 1) continue;
        ++workers;
        if (worker.vendor.load(relaxed) != wanted) continue;
        ++asking;
        is_slow = is_slow || now - worker.asking_since.load(relaxed) >= vendor_is_slow.count();
    }
    if (is_slow && asking >= std::max<std::uint64_t>(workers * 3 / 4, 1)) return std::nullopt;
    WorkerState& own = state_->workers[*worker_];
    own.asking_since.store(now, relaxed);
    own.vendor.store(wanted, relaxed);
    return Asking(state_, *worker_);
}

bool Shares::is_alone(std::string_view organisation) const noexcept {
    return count_sharers(*state_, pool_, hash_of(organisation), steady_now()) == 0;
}

bool Shares::others_import(std::string_view organisation) const noexcept {
    return count_importing_others(*state_, hash_of(organisation), steady_now()) > 0;
}

bool Shares::is_shared() const noexcept {
    return count_others(state_->pools[pool_], 0, steady_now()) > 1;
}

}  // namespace data_import::sharing
