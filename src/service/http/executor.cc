#include "service/http/executor.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <iterator>
#include <set>
#include <string>

#include "base/util/log.h"
#include "data/database/failures.h"
#include "data/store/import.h"
#include "service/http/dry_run.h"
#include "service/http/failure_answer.h"

namespace data_import::http {

namespace {

/// Imports that one call carries out.
struct SharedCall {
    std::vector<RequestRun*> runs;
    database::Call call;
};

std::vector<const store::Import*> imports_of(std::span<RequestRun* const> runs) {
    std::vector<const store::Import*> imports;
    imports.reserve(runs.size());
    for (const RequestRun* run : runs) imports.push_back(&run->import());
    return imports;
}

void append_shared_calls(std::vector<SharedCall>& shared, const store::Place& place,
                         std::span<RequestRun* const> runs) {
    for (const std::vector<std::size_t>& numbers : store::shared_calls(imports_of(runs))) {
        std::vector<RequestRun*> those;
        for (const std::size_t number : numbers) those.push_back(runs[number]);
        database::Call call = store::together(imports_of(those), place.schema);
        shared.push_back({std::move(those), std::move(call)});
    }
}

/// Returns the calls that carry out the node's imports. Leaves out imports whose next stage is no longer
/// Next::batch, because their account was found locked.
std::vector<SharedCall> shared_calls_of(const AtNode& node) {
    std::vector<SharedCall> shared;
    for (const AtPlace& at : node.places)
        append_shared_calls(shared, at.place, runs_with(Next::batch, at.runs));
    return shared;
}

/// The rows of a shared call: one part for each request, in the order of SharedCall::runs.
using Parts = std::vector<database::Rows>;

void end(const SharedCall& shared, const Parts& parts) {
    for (std::size_t place = 0; place < shared.runs.size(); ++place)
        shared.runs[place]->end_with(parts[place]);
}

/// Returns the request ids for the log, with commas between them. The log cuts a list of more than about a
/// hundred ids.
std::string ids_of(std::span<RequestRun* const> runs) {
    std::string ids;
    std::string_view last;
    for (const RequestRun* run : runs) {
        const std::string& id = run->context().request.request_id;
        if (id == last) continue;  // another line of the same bulk request
        (ids += ids.empty() ? "" : ",") += id;
        last = id;
    }
    return ids;
}

void log_failure(std::span<RequestRun* const> runs, const std::exception& failure) {
    util::log(util::Severity::notice, "requests executed together are repeated one by one",
              {{"requests", runs.size()}, {"reason", logged_reason(failure)}, {"request_ids", ids_of(runs)}});
}

std::vector<Parts> execute_calls(database::Database& database, const std::vector<SharedCall>& shared,
                                 database::Deadline deadline) {
    std::vector<database::Call> calls;
    for (const SharedCall& one : shared) calls.push_back(one.call);
    const std::vector<database::Rows> results = database.execute_together(calls, deadline);
    std::vector<Parts> parts;
    for (std::size_t number = 0; number < shared.size(); ++number)
        parts.push_back(store::by_request(results[number], shared[number].runs.size()));
    return parts;
}

/// Locks the accounts of the imports, and waits for none of them. The locks last until the transaction ends;
/// without a transaction, they last for this one statement. Sets Next::retry_lock for the requests whose
/// account another transaction has locked.
void lock(const AtPlace& at, database::Deadline deadline) {
    std::set<std::string_view> accounts;
    for (const RequestRun* run : at.runs) accounts.insert(run->lock_name());
    const database::Rows rows = at.place.database->execute(
        store::lock_accounts({accounts.begin(), accounts.end()}, at.place.schema), deadline);
    std::set<std::string_view> locked;
    for (std::size_t row = 0; row < rows.size(); ++row) locked.insert(rows.text(row, 0));
    for (RequestRun* run : at.runs) {
        if (locked.contains(run->lock_name())) run->leave_locked();
    }
}

void execute_batch(const Execution& execution, const AtNode& node) {
    std::vector<SharedCall> shared;
    std::vector<Parts> parts;
    const std::vector<RequestRun*> batch = node.runs();
    const auto send = [&] {
        shared = shared_calls_of(node);
        parts = execute_calls(*node.database, shared, execution.deadline);
    };
    const auto lock_and_send = [&] {
        for (const AtPlace& at : node.places) lock(at, execution.deadline);
        send();
    };
    try {
        if (execution.together == Together::locks_first && batch.size() > 1)
            node.database->transaction(lock_and_send, execution.deadline, execution.request_id);
        else
            send();
    } catch (const std::exception& failure) {
        if (execution.worker.shard_groups.has_moved(*node.database, failure)) return;
        if (batch.size() == 1) return batch.front()->end_with(std::current_exception());
        if (database::is_outcome_unknown(failure))
            std::ranges::for_each(batch, &RequestRun::set_outcome_unknown);
        return log_failure(batch, failure);
    }
    if (batch.size() > 1) execution.worker.recorder.count_batch(batch.size());
    for (std::size_t number = 0; number < shared.size(); ++number) end(shared[number], parts[number]);
}

/// Carries requests out as dry runs. Each request sees only what is stored, and nothing of the other
/// requests, not even of those in the same call.
void rehearse(const Execution& execution, const AtNode& node) {
    for (const SharedCall& shared : shared_calls_of(node)) {
        if (std::chrono::steady_clock::now() >= execution.deadline) return;
        try {
            const database::Rows rows =
                execute_call(shared.runs.front()->context(), *node.database, shared.call);
            end(shared, store::by_request(rows, shared.runs.size()));
        } catch (const std::exception& failure) {
            if (execution.worker.shard_groups.has_moved(*node.database, failure)) return;
            log_failure(shared.runs, failure);
        }
    }
}

}  // namespace

void execute_runs(const Execution& execution, std::span<RequestRun* const> runs) {
    std::vector<RequestRun*> batch = runs_with(Next::batch, runs);
    std::erase_if(batch, [](RequestRun* run) { return run->drop_abandoned(); });
    for (const AtNode& node : by_node(execution.worker, batch, execution.deadline)) {
        if (execution.together == Together::dry_run)
            rehearse(execution, node);
        else
            execute_batch(execution, node);
    }
    for (RequestRun* run : runs) {
        if (!run->is_answered() && run->next() != Next::retry_lock) execution.carry_out_alone(*run);
    }
}

std::vector<RequestRun*> runs_with(Next next, std::span<RequestRun* const> runs) {
    std::vector<RequestRun*> found;
    std::ranges::copy_if(runs, std::back_inserter(found),
                         [&](const RequestRun* run) { return run->next() == next; });
    return found;
}

std::vector<RequestRun*> AtNode::runs() const {
    std::vector<RequestRun*> all;
    for (const AtPlace& at : places) all.insert(all.end(), at.runs.begin(), at.runs.end());
    return all;
}

std::vector<AtNode> by_node(WorkerContext& worker, std::span<RequestRun* const> runs,
                            database::Deadline deadline) {
    std::vector<AtNode> nodes;
    for (RequestRun* run : runs) {
        const store::Place place = worker.shard_groups.place_of(run->lock_name(), deadline);
        auto node = std::ranges::find(nodes, place.database, &AtNode::database);
        if (node == nodes.end()) node = nodes.insert(node, {place.database, {}});
        auto at = std::ranges::find(node->places, place, &AtPlace::place);
        if (at == node->places.end()) at = node->places.insert(at, {place, {}});
        at->runs.push_back(run);
    }
    return nodes;
}

void pass_over_locked(const AtPlace& at, database::Deadline deadline) {
    lock(at, deadline);
}

}  // namespace data_import::http
