// Who works in a pool, and who wants to: each organisation gets its share when others want theirs.
#include <algorithm>
#include <functional>
#include <utility>

#include "metrics/counters.h"

namespace data_import::metrics {

namespace {

/// Of an organisation or a vendor.
std::uint64_t number_of(std::string_view name) noexcept {
    return std::max<std::uint64_t>(std::hash<std::string_view>()(name), 1);
}

/// How many want to work, but for this one.
std::uint64_t count_others(const PoolCounters& pool, Organisation organisation, std::int64_t now) noexcept {
    return static_cast<std::uint64_t>(std::ranges::count_if(pool.wishes_of, [&](const Wish& wish) {
        const Organisation other = wish.of.load(relaxed);
        return other != 0 && other != organisation && now - wish.at.load(relaxed) < wish_lasts.count();
    }));
}

/// How many others import by short requests.
std::uint64_t count_short_importers(const Counters& counters, Organisation organisation,
                                    std::int64_t now) noexcept {
    return std::max(count_others(counters.pools[index_of(PoolKind::import)], organisation, now),
                    count_others(counters.pools[index_of(PoolKind::vendor)], organisation, now));
}

/// ... so that the pool has to be shared with them. What the bulk pool does keeps processors and database
/// busy for long: there they count wherever they import.
std::uint64_t count_sharers(const Counters& counters, std::size_t pool, Organisation organisation,
                            std::int64_t now) noexcept {
    const std::uint64_t others = count_others(counters.pools[pool], organisation, now);
    if (pool != index_of(PoolKind::bulk)) return others;
    return std::max(others, count_short_importers(counters, organisation, now));
}

/// In the place of its last wish, or of the eldest of all.
void note_wish(std::array<Wish, wishes>& all, std::uint64_t of, std::int64_t now) noexcept {
    Wish* place = all.data();
    for (Wish& wish : all) {
        if (wish.of.load(relaxed) == of) {
            place = &wish;
            break;
        }
        if (wish.at.load(relaxed) < place->at.load(relaxed)) place = &wish;
    }
    place->of.store(of, relaxed);
    place->at.store(now, relaxed);
}

struct Held {
    std::uint64_t by_all = 0;
    std::uint64_t by_one = 0;
    std::uint64_t requests_of_one = 0;
};

Held held_in(const Counters& counters, std::size_t pool, Organisation organisation) noexcept {
    Held held;
    const std::uint64_t taken = counters.places_taken.load(relaxed);
    for (std::size_t index = 0; index < taken; ++index) {
        const Place& place = counters.workers[index];
        if (place.pool_and_one.load(relaxed) != pool + 1) continue;
        for (const Holding& holding : place.held) {
            const Organisation holder = holding.organisation.load(relaxed);
            if (holder == 0) continue;
            const std::uint64_t work = holding.work.load(relaxed);
            held.by_all += work;
            if (holder != organisation) continue;
            held.by_one += work;
            held.requests_of_one += holding.requests.load(relaxed);
        }
    }
    return held;
}

/// Requests of an organisation alone that wait for locked accounts.
constexpr std::uint64_t most_waiting_alone = 64;

/// The rule of `Recorder::take_slot`.
bool wants_more_than_its_share(Counters& counters, std::size_t pool, Organisation organisation,
                               std::uint64_t work) noexcept {
    PoolCounters& own = counters.pools[pool];
    const std::int64_t now = steady_now();
    note_wish(own.wishes_of, organisation, now);
    const std::uint64_t others = count_sharers(counters, pool, organisation, now);
    if (others == 0) return false;
    const Held held = held_in(counters, pool, organisation);
    const std::uint64_t capacity = own.capacity.load(relaxed);
    return held.by_one > 0 && held.by_one + work > capacity / (others + 1) &&
           held.by_all + work > capacity / 2;
}

}  // namespace

Recorder::Slot::Slot(Slot&& other) noexcept
    : counters_(std::exchange(other.counters_, nullptr)),
      pool_(other.pool_),
      place_(other.place_),
      entry_(other.entry_),
      work_(other.work_),
      is_working_(other.is_working_) {}

Recorder::Slot::~Slot() {
    if (counters_ == nullptr) return;
    pause_work();
    Holding& holding = counters_->workers[place_].held[entry_];
    if (holding.requests.fetch_sub(1, relaxed) == 1) holding.organisation.store(0, relaxed);
}

void Recorder::Slot::hold_work() noexcept {
    if (counters_ == nullptr || std::exchange(is_working_, true)) return;
    counters_->workers[place_].held[entry_].work.fetch_add(work_, relaxed);
}

void Recorder::Slot::pause_work() noexcept {
    if (counters_ == nullptr || !std::exchange(is_working_, false)) return;
    counters_->workers[place_].held[entry_].work.fetch_sub(work_, relaxed);
}

bool Recorder::Slot::begin_work(bool waited_long) noexcept {
    if (counters_ == nullptr || is_working_) return true;
    const Organisation organisation = counters_->workers[place_].held[entry_].organisation.load(relaxed);
    if (!waited_long && wants_more_than_its_share(*counters_, pool_, organisation, work_)) return false;
    hold_work();
    return true;
}

std::optional<Recorder::Slot> Recorder::take_slot(std::string_view organisation,
                                                  std::uint64_t work) const noexcept {
    const Organisation wanted = number_of(organisation);
    PoolCounters& pool = counters_->pools[pool_];
    const bool is_beyond = wants_more_than_its_share(*counters_, pool_, wanted, work);
    if (is_beyond && held_in(*counters_, pool_, wanted).requests_of_one >= pool.never_refused.load(relaxed)) {
        pool.beyond_share.fetch_add(1, relaxed);
        return std::nullopt;
    }
    Slot nothing(nullptr, 0, 0, 0, 0);
    if (!place_) return nothing;
    auto& held = counters_->workers[*place_].held;
    auto entry = std::ranges::find_if(
        held, [&](const Holding& holding) { return holding.organisation.load(relaxed) == wanted; });
    if (entry == held.end())
        entry = std::ranges::find_if(
            held, [](const Holding& holding) { return holding.organisation.load(relaxed) == 0; });
    if (entry == held.end()) return nothing;
    entry->requests.fetch_add(1, relaxed);
    entry->organisation.store(wanted, relaxed);
    Slot slot(counters_, pool_, *place_, static_cast<std::size_t>(entry - held.begin()), work);
    if (!is_beyond) slot.hold_work();
    return slot;
}

bool Recorder::may_wait_for_account(std::string_view organisation) const noexcept {
    const std::uint64_t never_refused = counters_->pools[pool_].never_refused.load(relaxed);
    const std::uint64_t most =
        is_alone(organisation) ? most_waiting_alone : std::max<std::uint64_t>(never_refused, 1);
    return held_in(*counters_, pool_, number_of(organisation)).requests_of_one <= most;
}

Recorder::Asking::Asking(Asking&& other) noexcept
    : counters_(std::exchange(other.counters_, nullptr)), place_(other.place_) {}

Recorder::Asking::~Asking() {
    if (counters_ == nullptr) return;
    Place& place = counters_->workers[place_];
    const std::int64_t now = steady_now();
    if (now - place.asking_since.load(relaxed) >= vendor_is_slow.count())
        note_wish(counters_->slow_vendors, place.vendor.load(relaxed), now);
    place.vendor.store(0, relaxed);
}

std::optional<Recorder::Asking> Recorder::ask_vendor(std::string_view vendor) const noexcept {
    if (!place_) return Asking();
    const std::uint64_t wanted = number_of(vendor);
    const std::int64_t now = steady_now();
    bool is_slow = std::ranges::any_of(counters_->slow_vendors, [&](const Wish& slow) {
        return slow.of.load(relaxed) == wanted && now - slow.at.load(relaxed) < slow_lasts.count();
    });
    std::uint64_t workers = 0;
    std::uint64_t asking = 0;
    for (std::size_t index = 0; index < counters_->places_taken.load(relaxed); ++index) {
        const Place& place = counters_->workers[index];
        if (place.pool_and_one.load(relaxed) != pool_ + 1) continue;
        ++workers;
        if (place.vendor.load(relaxed) != wanted) continue;
        ++asking;
        is_slow = is_slow || now - place.asking_since.load(relaxed) >= vendor_is_slow.count();
    }
    if (is_slow && asking >= std::max<std::uint64_t>(workers * 3 / 4, 1)) return std::nullopt;
    Place& own = counters_->workers[*place_];
    own.asking_since.store(now, relaxed);
    own.vendor.store(wanted, relaxed);
    return Asking(counters_, *place_);
}

bool Recorder::is_beyond_share(PoolKind pool, std::string_view organisation,
                               std::uint64_t work) const noexcept {
    return wants_more_than_its_share(*counters_, index_of(pool), number_of(organisation), work);
}

// A place of its own, or that of the organisation whose turns ended first. Two of its requests that take a
// turn at the same time may get the same one: so the place is exchanged only as it was read.
std::chrono::microseconds Recorder::take_turn(std::string_view organisation,
                                              std::chrono::microseconds interval) const noexcept {
    const Organisation wanted = number_of(organisation);
    Turn* place = counters_->turns.data();
    for (Turn& turn : counters_->turns) {
        if (turn.of.load(relaxed) == wanted) {
            place = &turn;
            break;
        }
        if (turn.at.load(relaxed) < place->at.load(relaxed)) place = &turn;
    }
    const std::int64_t now = steady_now();
    if (place->of.exchange(wanted, relaxed) != wanted) place->at.store(0, relaxed);
    std::int64_t taken = place->at.load(relaxed);
    std::int64_t begin = 0;
    do {
        begin = std::max(taken, now);
    } while (!place->at.compare_exchange_weak(taken, begin + interval.count(), relaxed));
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
