// How the requests of one worker travel: together, alone, or once under a key. What happens to each of them
// stands in visit.cc.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "http/carriages.h"
#include "http/visit.h"

namespace data_import::http {

/// One worker's pipeline; not for use by several threads.
///
/// Of requests that arrive together, imports share one transaction and one round trip to the database, and
/// those of one kind one call. All others travel alone behind them, and so do those that were together when
/// anything unexpected happened to one of them. Long bodies share a transaction with long ones of their own
/// organisation only, behind the short ones. No call waits for a locked account: the request for it is not
/// answered and is tried again, so that it holds up nobody else. What nobody waits for any more is not
/// carried out.
class Pipeline {
public:
    explicit Pipeline(Means means) : means_(std::move(means)) {}
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;
    ~Pipeline() = default;

    /// Null: it has been refused. Throws nothing.
    [[nodiscard]] std::unique_ptr<Admitted> admit(const Task& task);
    /// See Handler.
    [[nodiscard]] bool admission_waits() const { return means_.authenticator.is_due(); }

    /// See Handler. Throws nothing.
    void answer(std::span<const std::unique_ptr<Admitted>> requests,
                const std::function<void()>& before_waiting);

    /// About once a second, between requests: logs whose requests were refused beyond their share, which do
    /// not have lines of their own.
    void tick();

private:
    void begin_tries(const std::vector<Visit*>& visits);
    void pass_over_locked(const std::vector<Visit*>& visits);
    void travel_together(std::vector<Visit*> visits);
    void try_together(std::vector<Visit*>& visits);
    void hand_over(const Carriage& carriage, const database::Rows& rows);
    void travel_alone(Visit& visit);
    void wait_for_account(Visit& visit);
    [[nodiscard]] bool may_wait(const Visit& visit) const;

    Means means_;
    std::size_t waiting_bytes_ = 0;  ///< of the bodies of requests that wait for locked accounts
};

}  // namespace data_import::http
