// Shares the workers among requests and organisations.
//
// Each kind of work has a pool of workers of its own, so that short imports do not wait for long ones,
// listings or payment vendors. Import requests that wait at the same time are taken together: a worker checks
// up to `batch` of them, sends their calls in one round trip and one transaction, and answers each by itself.
// Those of 16 KiB and more follow in another transaction. If anything unexpected happens in one, its calls
// are retried one by one. `import_workers_at_once` of the workers take requests at the same time; the others
// join for requests that wait long.
//
// Inside a pool an organisation may use everything while it is alone. Another organisation counts for two
// seconds after each of its requests. Then each organisation's share is the pool's capacity divided by their
// number. A request that goes beyond the share is taken all the same while half of the pool is free, or when
// its organisation has no other request at work. Otherwise the first 16 short requests of an organisation
// wait for their turn, and are worked on after five seconds in any case; further ones are answered 429. Bulk
// requests leave room for short imports in any pool, since both use the same database. Of the workers for
// payment instructions, three quarters may wait for one slow vendor.
//
// No call waits for a locked account. Its request stays with its worker, which goes on with all others. It
// gives its part of the pool back, and is tried again every few milliseconds until its time is up. While
// others want to work, it is answered 429 instead, if its organisation has more than 16 requests in flight in
// the pool (in a pool of long requests: any other one). The lines of a bulk request wait for two seconds in
// all. A worker that is told to end first answers its waiting requests.
//
// nginx stands in front of it. It limits what each token has in flight and sends a second, and what each
// organisation has in flight of bulk requests, huge bodies and long answers. Of each token it reads at most
// two bodies of 4 MB or more a second. It hands a 429 over a second late, so that a client that does not wait
// cannot keep the processors busy. fastcgi/connections.h says how requests reach a free worker. `make
// attacks` plays the attacks that all of this is for, and `make steady` a load of minutes.
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

/// A request of an organisation that is in flight for as long as this lives, with the part of the pool that
/// it takes while it is worked on.
class Slot {
public:
    Slot(Slot&& other) noexcept;
    Slot& operator=(Slot&&) = delete;
    ~Slot();

    /// Returns true if it may be worked on; then it takes its part of the pool. False: its organisation has
    /// its share, and others want theirs. A request that has `waited_long` is worked on in any case.
    [[nodiscard]] bool begin_work(bool waited_long) noexcept;
    /// Gives its part back until it is worked on again.
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

/// A question to a payment vendor, for as long as this lives.
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

/// The shares as one worker of a pool sees and changes them. Its functions take no lock, no system call and
/// no memory, never throw, and survive the death of any worker.
class Shares {
public:
    /// `worker` is its number. Nothing, if there are more workers than are told apart; then nothing is
    /// counted.
    Shares(State& state, PoolKind pool, std::optional<std::size_t> worker) noexcept
        : state_(&state), pool_(index_of(pool)), worker_(worker) {}

    /// Takes a slot for a request of this organisation that takes so much of the pool, in units of its
    /// capacity. Beyond the share it has to wait for its turn (`Slot::begin_work`). Nothing if
    /// `never_refused` of its organisation's requests are in flight already: then it is refused, and counted.
    [[nodiscard]] std::optional<Slot> take_slot(std::string_view organisation,
                                                std::uint64_t work) const noexcept;

    /// Returns whether a request of the organisation may wait for a locked account: nobody else wants to work
    /// in the pool, or the organisation does not have too many requests in flight there, with this one.
    [[nodiscard]] bool may_wait_for_account(std::string_view organisation) const noexcept;

    /// Returns whether a request in that pool would be beyond its organisation's share at this moment. Counts
    /// as a demand of the organisation.
    [[nodiscard]] bool is_beyond_share(PoolKind pool, std::string_view organisation,
                                       std::uint64_t work) const noexcept;
    /// Counts a request that was refused because of that.
    void count_refused(PoolKind pool) const noexcept;

    /// Takes the organisation's next turn, which lasts `interval`, and returns how long from now it begins.
    /// Unused turns are not saved up. Only `most` of them count at a time: others belong to clients that have
    /// gone.
    [[nodiscard]] std::chrono::microseconds take_turn(std::string_view organisation,
                                                      std::chrono::microseconds interval,
                                                      std::size_t most) const noexcept;
    /// Gives a turn back that is not needed any more.
    void give_turn_back(std::string_view organisation, std::chrono::microseconds interval) const noexcept;

    /// Returns nothing if three quarters of the pool's workers ask this vendor already and it is slow: a
    /// question has lasted for a second now, or did within the last minute. The other workers are kept for
    /// other vendors. A worker has one Asking at a time.
    [[nodiscard]] std::optional<Asking> ask_vendor(std::string_view vendor) const noexcept;

    /// Returns whether nobody else wants to work in the pool; in `bulk`, to import anything.
    [[nodiscard]] bool is_alone(std::string_view organisation) const noexcept;

    /// Returns whether other organisations import by short requests.
    [[nodiscard]] bool others_import(std::string_view organisation) const noexcept;

    /// Returns whether several organisations want to work in the pool.
    [[nodiscard]] bool is_shared() const noexcept;

private:
    State* state_;
    std::size_t pool_;
    std::optional<std::size_t> worker_;
};

}  // namespace data_import::sharing
