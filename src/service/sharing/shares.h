// Shares the workers among requests and organisations.
//
// Each class of requests has a pool of workers of its own, so short imports do not wait for long ones,
// listings or payment vendors.
//
// A worker of the pool import takes up to `batch` requests that wait at the same time. The worker checks
// them, sends their calls in one round trip and one transaction, and answers each request by itself. Requests
// of 16 KiB and more follow in another transaction. If a transaction fails unexpectedly, its calls are
// retried one by one. In the pool import, at most `import_workers_at_once` workers take requests at the same
// time. A worker that has been busy for more than 50 ms does not count in this number.
//
// An organisation counts in a pool for two seconds after each of its requests. In the pool bulk, an
// organisation with requests in the pool import or vendor counts, too, because all of these pools use the
// same database. The share of each organisation is the pool's capacity divided by the number of organisations
// that count. If only one organisation counts, it may use the whole pool.
//
// A request within its organisation's share is worked on at once. A request beyond the share is worked on at
// once, too, if no other request of its organisation is being worked on. The same holds if all work in the
// pool, this request included, takes at most half of the pool. Any other request beyond the share is answered
// 429 at once. The exception is a short import whose organisation has fewer than 16 short imports in flight:
// it waits for up to five seconds, and is then worked on in any case.
//
// At most three quarters of the workers for payment instructions may wait for one slow vendor.
//
// No call of the database waits for a locked account. The worker keeps a request for a locked account, gives
// the request's part of the pool back, and goes on with other requests. The worker tries the request again
// every few milliseconds until the request's time limit. While other organisations want to work, the worker
// answers 429 instead if the request's organisation has too many requests in flight in the pool. Too many are
// more than 16, and in a pool of long requests more than one. All lines of a bulk request together wait for
// at most two seconds. A worker that is told to end answers its waiting requests first.
//
// nginx stands before the workers, and has limits, too. For each token, nginx limits the requests in flight
// and the requests in a second. From each token, it reads at most two bodies of 4 MB or more a second. For
// each organisation, nginx limits the bulk requests, huge bodies and long answers in flight. It delays an
// answer 429 by a second, so that a client that does not wait cannot keep the processors busy.
//
// fastcgi/connections.h says how requests reach a free worker. `make attacks` plays the attacks that these
// limits are made against. `make steady` keeps the service under load for minutes.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/config/pools.h"

namespace data_import::sharing {

using config::index_of;
using config::name_of;
using config::pool_names;
using config::PoolKind;

struct State;

/// Counts a request of an organisation as in flight for as long as this object lives, and its part of the
/// pool as taken while the request is worked on.
class Slot {
public:
    Slot(Slot&& other) noexcept;
    Slot& operator=(Slot&&) = delete;
    ~Slot();

    /// Takes the request's part of the pool, so that the request may be worked on, and returns true. Returns
    /// false and takes nothing if the request is beyond its organisation's share while others want to work. A
    /// request that has `waited_long` takes its part in any case.
    [[nodiscard]] bool begin_work(bool waited_long) noexcept;
    /// Gives the request's part of the pool back, until `begin_work` takes it again.
    void pause_work() noexcept;

private:
    friend class Shares;
    Slot(State* state, std::size_t pool, std::size_t worker, std::size_t entry, std::uint64_t work) noexcept
        : state_(state), pool_(pool), worker_(worker), entry_(entry), work_(work) {}
    void take_work() noexcept;

    State* state_;  ///< null: nothing is counted
    std::size_t pool_;
    std::size_t worker_;
    std::size_t entry_;
    std::uint64_t work_;
    bool is_working_ = false;
};

/// While this object lives, its worker counts as one that asks a payment vendor.
class Asking {
public:
    Asking() noexcept : Asking(nullptr, 0) {}
    Asking(Asking&& other) noexcept;
    Asking& operator=(Asking&&) = delete;
    ~Asking();

private:
    friend class Shares;
    Asking(State* state, std::size_t worker) noexcept : state_(state), worker_(worker) {}
    State* state_;  ///< null: nothing is counted
    std::size_t worker_;
};

/// The shares as one worker of a pool sees and changes them. Its functions lock nothing, make no system call,
/// allocate no memory and never throw. They stay usable if any worker dies.
class Shares {
public:
    /// `worker` is the number of the worker. It is nothing for a worker that finds all `most_workers` numbers
    /// in use; the requests of such a worker are not counted.
    Shares(State& state, PoolKind pool, std::optional<std::size_t> worker) noexcept
        : state_(&state), pool_(index_of(pool)), worker_(worker) {}

    /// Takes a slot for a request of the organisation. A request within the share may be worked on at once. A
    /// request beyond the share has to wait until `Slot::begin_work` returns true. If its organisation
    /// already has PoolState::never_refused requests in flight, returns nothing and counts the request as
    /// refused.
    ///
    /// `work` is the part of the pool that the request takes, in the unit of the pool's capacity: bytes or
    /// requests.
    [[nodiscard]] std::optional<Slot> take_slot(std::string_view organisation,
                                                std::uint64_t work) const noexcept;

    /// Returns whether a request of the organisation may wait for a locked account. It always may if no other
    /// organisation wants to work in the pool. Otherwise the organisation must not have more than
    /// PoolState::never_refused requests in flight in the pool. This request counts among them, but alone it
    /// may always wait.
    [[nodiscard]] bool may_wait_for_account(std::string_view organisation) const noexcept;

    /// Returns whether a request in `pool` would have to wait now, or be refused, because it is beyond its
    /// organisation's share. `work` is the part of the pool that the request would take, in bytes or
    /// requests. The call itself counts as a request of the organisation, so the organisation counts in the
    /// pool for two seconds.
    [[nodiscard]] bool is_beyond_share(PoolKind pool, std::string_view organisation,
                                       std::uint64_t work) const noexcept;
    /// Counts a request that was refused because it was beyond the share.
    void count_refused(PoolKind pool) const noexcept;

    /// Takes the organisation's next turn, which lasts `interval`. Returns the time from now until the turn
    /// begins, which is at most `most` - 1 intervals. `most` is the greatest number of the organisation's
    /// clients that can wait for a turn at the same time. Unused turns are not saved up.
    [[nodiscard]] std::chrono::microseconds take_turn(std::string_view organisation,
                                                      std::chrono::microseconds interval,
                                                      std::size_t most) const noexcept;
    /// Gives back a turn of the organisation, because the request that took the turn was dropped. `interval`
    /// is the length of the turn, as it was given to take_turn().
    void give_turn_back(std::string_view organisation, std::chrono::microseconds interval) const noexcept;

    /// Counts this worker as one that asks the vendor, for as long as the result lives. Returns nothing if
    /// the vendor is slow and three quarters of the pool's workers ask it already. A vendor is slow if a
    /// request to it has been running for a second. A vendor whose request took a second or longer counts as
    /// slow for a minute after the request. A worker has one Asking at a time.
    ///
    /// The limit keeps the other workers free for other vendors.
    [[nodiscard]] std::optional<Asking> ask_vendor(std::string_view vendor) const noexcept;

    /// Returns whether no other organisation wants to work in the pool; in pool `bulk`, whether no other one
    /// imports at all.
    [[nodiscard]] bool is_alone(std::string_view organisation) const noexcept;

    /// Returns whether an organisation other than `organisation` has sent a request to the pool import or
    /// vendor in the last two seconds.
    [[nodiscard]] bool others_import(std::string_view organisation) const noexcept;

    /// Returns whether several organisations want to work in the pool.
    [[nodiscard]] bool is_shared() const noexcept;

private:
    State* state_;
    std::size_t pool_;
    std::optional<std::size_t> worker_;
};

}  // namespace data_import::sharing
