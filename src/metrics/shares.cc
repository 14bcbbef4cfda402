// Who works in a pool, and who wants to: each organisation gets its share when others want theirs.
#include <algorithm>
#include <functional>
#include <utility>

#include "metrics/counters.h"

namespace data_import::metrics {

namespace {

Organisation number_of(std::string_view organisation) noexcept {
    return std::max<Organisation>(std::hash<std::string_view>()(organisation), 1);
}

/// Notes the wish; how many organisations have one now.
std::uint64_t note_wish(std::array<Wish, wishes>& all, Organisation organisation) noexcept {
    const std::int64_t now = steady_now();
    Wish* own = nullptr;
    Wish* eldest = all.data();
    std::uint64_t wanting = 0;
    for (Wish& wish : all) {
        const std::int64_t at = wish.at.load(relaxed);
        if (wish.organisation.load(relaxed) == organisation)
            own = &wish;
        else if (now - at < wish_lasts.count() && at != 0)
            ++wanting;
        if (at < eldest->at.load(relaxed)) eldest = &wish;
    }
    if (own == nullptr) own = eldest;
    own->organisation.store(organisation, relaxed);
    own->at.store(now, relaxed);
    return wanting + 1;
}

struct Held {
    std::uint64_t by_all = 0;
    std::uint64_t by_one = 0;
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
            if (holder == organisation) held.by_one += work;
        }
    }
    return held;
}

/// The rule of `Recorder::take_slot`.
bool exceeds_share(const Held& held, std::uint64_t work, const Capacity& capacity,
                   std::uint64_t wanting) noexcept {
    if (held.by_one == 0) return false;
    if (capacity.kept_free > 0 && held.by_one + work > capacity.work - capacity.kept_free) return true;
    if (wanting <= 1) return false;
    return held.by_one + work > capacity.work / wanting && held.by_all + work > capacity.work / 2;
}

bool wants_more_than_its_share(Counters& counters, std::size_t pool, Organisation organisation,
                               std::uint64_t work) noexcept {
    PoolCounters& counts = counters.pools[pool];
    const std::uint64_t wanting = note_wish(counts.wishes_of, organisation);
    const Capacity capacity{counts.capacity.load(relaxed), counts.kept_free.load(relaxed)};
    if (wanting <= 1 && capacity.kept_free == 0) return false;
    return exceeds_share(held_in(counters, pool, organisation), work, capacity, wanting);
}

}  // namespace

Recorder::Slot::Slot(Slot&& other) noexcept
    : counters_(std::exchange(other.counters_, nullptr)),
      place_(other.place_),
      entry_(other.entry_),
      work_(other.work_) {}

Recorder::Slot::~Slot() {
    if (counters_ == nullptr) return;
    Holding& holding = counters_->workers[place_].held[entry_];
    if (holding.work.fetch_sub(work_, relaxed) == work_) holding.organisation.store(0, relaxed);
}

std::optional<Recorder::Slot> Recorder::take_slot(std::string_view organisation,
                                                  std::uint64_t work) const noexcept {
    const Organisation wanted = number_of(organisation);
    if (wants_more_than_its_share(*counters_, pool_, wanted, work)) {
        counters_->pools[pool_].beyond_share.fetch_add(1, relaxed);
        return std::nullopt;
    }
    if (!place_) return Slot(nullptr, 0, 0, 0);
    auto& held = counters_->workers[*place_].held;
    auto entry = std::ranges::find_if(
        held, [&](const Holding& holding) { return holding.organisation.load(relaxed) == wanted; });
    if (entry == held.end())
        entry = std::ranges::find_if(
            held, [](const Holding& holding) { return holding.organisation.load(relaxed) == 0; });
    if (entry == held.end()) return Slot(nullptr, 0, 0, 0);
    entry->work.fetch_add(work, relaxed);
    entry->organisation.store(wanted, relaxed);
    return Slot(counters_, *place_, static_cast<std::size_t>(entry - held.begin()), work);
}

bool Recorder::is_beyond_share(std::size_t pool, std::string_view organisation,
                               std::uint64_t work) const noexcept {
    return wants_more_than_its_share(*counters_, pool, number_of(organisation), work);
}

void Recorder::count_abandoned() const noexcept {
    counters_->pools[pool_].abandoned.fetch_add(1, relaxed);
}

}  // namespace data_import::metrics
