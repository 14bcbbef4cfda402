// Executes checked requests: imports together in few calls and one transaction, the others by themselves.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "http/request_run.h"

namespace data_import::http {

/// How imports are executed together.
enum class Together {
    one_round_trip,  ///< all calls are sent at once
    locks_first,     ///< the accounts are locked ahead, so that no request overtakes an earlier one for its
                     ///< account
    dry_run,         ///< what a call brings is undone before the next one
};

struct Execution {
    WorkerContext& worker;
    Together together;
    database::Deadline deadline;
    std::function<void(RequestRun&)> execute_single;
    std::string_view request_id = {};  ///< named in PostgreSQL's log; empty: none
};

/// Executes requests and answers them, but those whose account is locked: they are left with
/// Next::retry_lock.
///
/// Those with Next::batch share a transaction, and those of one kind a call. When anything unexpected
/// happens, none of them has taken effect: each is executed by itself, in their order, so that only the
/// culprit fails. So are all others. Throws nothing.
void execute(const Execution& execution, std::span<RequestRun* const> runs);

/// The requests for which this is next.
[[nodiscard]] std::vector<RequestRun*> runs_with(Next next, std::span<RequestRun* const> runs);

/// The accounts of these imports that somebody else has locked. Within a transaction, the others are locked
/// until its end. Throws as database::Database::execute does.
void leave_locked(database::Database& database, std::span<RequestRun* const> runs,
                  database::Deadline deadline);

}  // namespace data_import::http
