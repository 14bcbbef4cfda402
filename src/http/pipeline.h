// How the requests of one worker travel: together, alone, once under a key, or held back. What happens to
// each of them stands in visit.cc.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "http/carriages.h"
#include "http/visit.h"

namespace data_import::http {

/// One worker's pipeline; not for use by several threads.
///
/// Of requests that arrive together, imports share one transaction and one round trip to the database, and
/// those of one kind one call. All others travel alone behind them, and so do those that were together when
/// anything unexpected happened to one of them. Who finds an account locked lets the others go first. Long
/// bodies share a transaction with those of their own organisation only. What nobody waits for any more is
/// not carried out.
class Pipeline {
public:
    /// Of the workers of its pool `most_waiting` may wait long at the same time.
    Pipeline(Means means, std::size_t most_waiting) : means_(std::move(means)), most_waiting_(most_waiting) {}
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
    void travel_together(std::vector<Visit*> visits, bool is_only_one);
    void try_together(std::vector<Visit*>& visits);
    void hand_over(const Carriage& carriage, const database::Rows& rows);
    void travel_alone(Visit& visit, bool is_only_one);
    void wait_for_account(Visit& visit, std::chrono::steady_clock::time_point end);
    void remember_held(const Visit& visit);
    [[nodiscard]] bool is_held(const Visit& visit) const;

    Means means_;
    std::size_t most_waiting_;
    /// Keys of accounts, and when they were held.
    std::map<std::string, std::chrono::steady_clock::time_point, std::less<>> held_;
};

}  // namespace data_import::http
