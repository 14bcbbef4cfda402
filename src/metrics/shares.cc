// The organisations that work in a pool, and those that want to: each gets its share while others want
// theirs.
#include <algorithm>
#include <functional>
#include <utility>

#include "metrics/counters.h"

namespace data_import::metrics {

namespace {

/// The number that stands for an organisation or a vendor.
std::uint64_t number_of(std::string_view name) noexcept {
    return std::max<std::uint64_t>(std::hash<std::string_view>()(name), 1);
}

/// How many want to work, but for this one.
std::uint64_t count_others(const PoolCounters& pool, Organisation organisation, std::int64_t now) noexcept {
    return static_cast<std::uint64_t>(std::ranges::count_if(pool.demands, [&](const Demand& demand) {
        const Organisation other = demand.of.load(relaxed);
        return other != 0 && other != organisation && now - demand.at.load(relaxed) < demand_lasts.count();
    }));
}

/// How many others import by short requests.
std::uint64_t count_short_importers(const Counters& counters, Organisation organisation,
                                    std::int64_t now) noexcept {
    return std::max(count_others(counters.pools[index_of(PoolKind::import)], organisation, now),
                    count_others(counters.pools[index_of(PoolKind::vendor)], organisation, now));
}

/// Counts the others that the pool has to be shared with. Bulk requests keep processors and database busy for
/// long, so in the bulk pool organisations that import by short requests count as well.
std::uint64_t count_sharers(const Counters& counters, std::size_t pool, Organisation organisation,
                            std::int64_t now) noexcept {
    const std::uint64_t others = count_others(counters.pools[pool], organisation, now);
    if (pool != index_of(PoolKind::bulk)) return others;
    return std::max(others, count_short_importers(counters, organisation, now));
}

/// Replaces the last demand of the same organisation, or the oldest of all.
void note_demand(std::array<Demand, max_demands>& all, std::uint64_t of, std::int64_t now) noexcept {
    Demand* entry = all.data();
    for (Demand& demand : all) {
        if (demand.of.load(relaxed) == of) {
            entry = &demand;
            break;
        }
        if (demand.at.load(relaxed) < entry->at.load(relaxed)) entry = &demand;
    }
    entry->of.store(of, relaxed);
    entry->at.store(now, relaxed);
}

struct Usage {
    std::uint64_t by_all = 0;
    std::uint64_t by_one = 0;
    std::uint64_t requests_of_one = 0;
};

Usage usage_of(const Counters& counters, std::size_t pool, Organisation organisation) noexcept {
    Usage usage;
    const std::uint64_t taken = counters.worker_slots_taken.load(relaxed);
    for (std::size_t index = 0; index < taken; ++index) {
        const WorkerSlot& slot = counters.workers[index];
        if (slot.pool_and_one.load(relaxed) != pool + 1) continue;
        for (const Share& share : slot.shares) {
            const Organisation holder = share.organisation.load(relaxed);
            if (holder == 0) continue;
            const std::uint64_t work = share.work.load(relaxed);
            usage.by_all += work;
            if (holder != organisation) continue;
            usage.by_one += work;
            usage.requests_of_one += share.requests.load(relaxed);
        }
    }
    return usage;
}

/// Requests of an organisation alone that wait for locked accounts.
constexpr std::uint64_t most_waiting_alone = 64;

/// The rule of `Recorder::take_slot`.
bool wants_more_than_its_share(Counters& counters, std::size_t pool, Organisation organisation,
                               std::uint64_t work) noexcept {
    PoolCounters& own = counters.pools[pool];
    const std::int64_t now = steady_now();
    note_demand(own.demands, organisation, now);
    const std::uint64_t others = count_sharers(counters, pool, organisation, now);
    if (others == 0) return false;
    const Usage usage = usage_of(counters, pool, organisation);
    const std::uint64_t capacity = own.capacity.load(relaxed);
    return usage.by_one > 0 && usage.by_one + work > capacity / (others + 1) &&
           usage.by_all + work > capacity / 2;
}

}  // namespace

Recorder::Slot::Slot(Slot&& other) noexcept
    : counters_(std::exchange(other.counters_, nullptr)),
      pool_(other.pool_),
      slot_(other.slot_),
      entry_(other.entry_),
      work_(other.work_),
      is_working_(other.is_working_) {}

Recorder::Slot::~Slot() {
    if (counters_ == nullptr) return;
    pause_work();
    Share& share = counters_->workers[slot_].shares[entry_];
    if (share.requests.fetch_sub(1, relaxed) == 1) share.organisation.store(0, relaxed);
}

void Recorder::Slot::hold_work() noexcept {
    if (counters_ == nullptr || std::exchange(is_working_, true)) return;
    counters_->workers[slot_].shares[entry_].work.fetch_add(work_, relaxed);
}

void Recorder::Slot::pause_work() noexcept {
    if (counters_ == nullptr || !std::exchange(is_working_, false)) return;
    counters_->workers[slot_].shares[entry_].work.fetch_sub(work_, relaxed);
}

bool Recorder::Slot::begin_work(bool waited_long) noexcept {
    if (counters_ == nullptr || is_working_) return true;
    const Organisation organisation = counters_->workers[slot_].shares[entry_].organisation.load(relaxed);
    if (!waited_long && wants_more_than_its_share(*counters_, pool_, organisation, work_)) return false;
    hold_work();
    return true;
}

std::optional<Recorder::Slot> Recorder::take_slot(std::string_view organisation,
                                                  std::uint64_t work) const noexcept {
    const Organisation wanted = number_of(organisation);
    PoolCounters& pool = counters_->pools[pool_];
    const bool is_beyond = wants_more_than_its_share(*counters_, pool_, wanted, work);
    if (is_beyond &&
        usage_of(*counters_, pool_, wanted).requests_of_one >= pool.never_refused.load(relaxed)) {
        pool.beyond_share.fetch_add(1, relaxed);
        return std::nullopt;
    }
    Slot nothing(nullptr, 0, 0, 0, 0);
    if (!slot_) return nothing;
    auto& shares = counters_->workers[*slot_].shares;
    auto entry = std::ranges::find_if(
        shares, [&](const Share& share) { return share.organisation.load(relaxed) == wanted; });
    if (entry == shares.end())
        entry = std::ranges::find_if(
            shares, [](const Share& share) { return share.organisation.load(relaxed) == 0; });
    if (entry == shares.end()) return nothing;
    entry->requests.fetch_add(1, relaxed);
    entry->organisation.store(wanted, relaxed);
    Slot slot(counters_, pool_, *slot_, static_cast<std::size_t>(entry - shares.begin()), work);
    if (!is_beyond) slot.hold_work();
    return slot;
}

bool Recorder::may_wait_for_account(std::string_view organisation) const noexcept {
    const std::uint64_t never_refused = counters_->pools[pool_].never_refused.load(relaxed);
    const std::uint64_t most =
        is_alone(organisation) ? most_waiting_alone : std::max<std::uint64_t>(never_refused, 1);
    return usage_of(*counters_, pool_, number_of(organisation)).requests_of_one <= most;
}

Recorder::Asking::Asking(Asking&& other) noexcept
    : counters_(std::exchange(other.counters_, nullptr)), slot_(other.slot_) {}

Recorder::Asking::~Asking() {
    if (counters_ == nullptr) return;
    WorkerSlot& slot = counters_->workers[slot_];
    const std::int64_t now = steady_now();
    if (now - slot.asking_since.load(relaxed) >= vendor_is_slow.count())
        note_demand(counters_->slow_vendors, slot.vendor.load(relaxed), now);
    slot.vendor.store(0, relaxed);
}

std::optional<Recorder::Asking> Recorder::ask_vendor(std::string_view vendor) const noexcept {
    if (!slot_) return Asking();
    const std::uint64_t wanted = number_of(vendor);
    const std::int64_t now = steady_now();
    bool is_slow = std::ranges::any_of(counters_->slow_vendors, [&](const Demand& slow) {
        return slow.of.load(relaxed) == wanted && now - slow.at.load(relaxed) < slow_lasts.count();
    });
    std::uint64_t workers = 0;
    std::uint64_t asking = 0;
    for (std::size_t index = 0; index < counters_->worker_slots_taken.load(relaxed); ++index) {
        const WorkerSlot& slot = counters_->workers[index];
        if (slot.pool_and_one.load(relaxed) != pool_ + 1) continue;
        ++workers;
        if (slot.vendor.load(relaxed) != wanted) continue;
        ++asking;
        is_slow = is_slow || now - slot.asking_since.load(relaxed) >= vendor_is_slow.count();
    }
    if (is_slow && asking >= std::max<std::uint64_t>(workers * 3 / 4, 1)) return std::nullopt;
    WorkerSlot& own = counters_->workers[*slot_];
    own.asking_since.store(now, relaxed);
    own.vendor.store(wanted, relaxed);
    return Asking(counters_, *slot_);
}

bool Recorder::is_beyond_share(PoolKind pool, std::string_view organisation,
                               std::uint64_t work) const noexcept {
    return wants_more_than_its_share(*counters_, index_of(pool), number_of(organisation), work);
}

// Takes the entry of the organisation, or the entry whose turns ended first. Two requests may take turns of
// one entry at the same time, so the entry is exchanged only if it is unchanged since it was read.
std::chrono::microseconds Recorder::take_turn(std::string_view organisation,
                                              std::chrono::microseconds interval) const noexcept {
    const Organisation wanted = number_of(organisation);
    Turn* entry = counters_->turns.data();
    for (Turn& turn : counters_->turns) {
        if (turn.of.load(relaxed) == wanted) {
            entry = &turn;
            break;
        }
        if (turn.at.load(relaxed) < entry->at.load(relaxed)) entry = &turn;
    }
    const std::int64_t now = steady_now();
    if (entry->of.exchange(wanted, relaxed) != wanted) entry->at.store(0, relaxed);
    std::int64_t taken = entry->at.load(relaxed);
    std::int64_t begin = 0;
    do {
        begin = std::max(taken, now);
    } while (!entry->at.compare_exchange_weak(taken, begin + interval.count(), relaxed));
    return std::chrono::microseconds(begin - now);
}

void Recorder::count_beyond_share(PoolKind pool) const noexcept {
    counters_->pools[index_of(pool)].beyond_share.fetch_add(1, relaxed);
}

bool Recorder::is_alone(std::string_view organisation) const noexcept {
    return count_sharers(*counters_, pool_, number_of(organisation), steady_now()) == 0;
}

bool Recorder::is_beside_short_imports(std::string_view organisation) const noexcept {
    return count_short_importers(*counters_, number_of(organisation), steady_now()) > 0;
}

bool Recorder::is_shared() const noexcept {
    return count_others(counters_->pools[pool_], 0, steady_now()) > 1;
}

void Recorder::count_abandoned() const noexcept {
    counters_->pools[pool_].abandoned.fetch_add(1, relaxed);
}

}  // namespace data_import::metrics
