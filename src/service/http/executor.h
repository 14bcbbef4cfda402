// Carries out checked requests. The imports of a batch share few calls and one transaction; other requests
// are carried out by themselves.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "service/http/request_run.h"

namespace data_import::http {

/// The way to carry out the imports of a batch.
enum class Together {
    /// All calls are sent at once. The SQL functions lock the accounts, and leave out imports whose account
    /// another transaction has locked.
    one_round_trip,
    locks_first,  ///< accounts are locked first, so that no request overtakes an earlier one for its account
    dry_run,      ///< each call is rolled back before the next one
};

struct Execution {
    WorkerContext& worker;
    Together together;
    /// The time by which a transaction of several requests has to end. With Together::dry_run: the latest
    /// time at which a database call may begin.
    database::Deadline deadline;
    /// Carries out one request by itself.
    std::function<void(RequestRun&)> carry_out_alone;
    /// The request id that PostgreSQL's log shows for a shared transaction; empty: none.
    std::string_view request_id = {};
};

/// Carries requests out and answers them. Throws nothing. Requests for locked accounts get Next::retry_lock
/// and no answer; the caller tries them again at the time that LockWait returns. Until then, a worker keeps a
/// single request in `waiting_` (fastcgi/worker.cc). A bulk request waits in bulk.cc and tries its lines one
/// after the other, because the outcome of a line decides whether later lines for its account may be tried.
///
/// Imports whose next stage is Next::batch share a transaction if their accounts are on the same node. In
/// this transaction, imports of one kind and shard group share a call. A single import is carried out in the
/// same way. All other requests are carried out alone.
///
/// If the transaction of several imports fails, each of them is carried out alone, in order, so that only the
/// import at fault fails. If the outcome of the commit is unknown, an import may be stored already; it is
/// then recognised as a repeat.
void execute_runs(const Execution& execution, std::span<RequestRun* const> runs);

/// Returns those of `runs` whose next stage is `next`, in their order.
[[nodiscard]] std::vector<RequestRun*> runs_with(Next next, std::span<RequestRun* const> runs);

/// Imports for accounts of one shard group.
struct AtPlace {
    store::Place place;
    std::vector<RequestRun*> runs;
};

/// Imports for accounts that one database has.
struct AtNode {
    database::Database* database;
    std::vector<AtPlace> places;

    [[nodiscard]] std::vector<RequestRun*> runs() const;
};

/// Groups the imports by the nodes and shard groups of their accounts. Keeps the order of the imports in each
/// group.
[[nodiscard]] std::vector<AtNode> by_node(WorkerContext& worker, std::span<RequestRun* const> runs,
                                          database::Deadline deadline);

/// Tries to lock the accounts of all requests in `at`, for the time of one statement. Sets Next::retry_lock
/// for the requests whose account another transaction has locked. Throws as database::Database::execute does.
void pass_over_locked(const AtPlace& at, database::Deadline deadline);

}  // namespace data_import::http
