#include "http/executor.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>

#include "database/failures.h"
#include "http/dry_run.h"
#include "http/failure_answer.h"
#include "store/shared_calls.h"
#include "util/log.h"

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

std::vector<SharedCall> shared_calls_of(std::span<RequestRun* const> runs) {
    std::vector<SharedCall> shared;
    for (const std::vector<std::size_t>& places : store::shared_calls(imports_of(runs))) {
        std::vector<RequestRun*> those;
        for (const std::size_t place : places) those.push_back(runs[place]);
        database::Call call = store::together(imports_of(those));
        shared.push_back({std::move(those), std::move(call)});
    }
    return shared;
}

void answer(const SharedCall& shared, const database::Rows& rows) {
    const std::vector<database::Rows> parts = store::by_request(rows, shared.runs.size());
    for (std::size_t place = 0; place < shared.runs.size(); ++place) shared.runs[place]->answer(parts[place]);
}

/// For the log, which has room for some hundred of them.
std::string ids_of(std::span<RequestRun* const> runs) {
    std::string ids;
    std::string_view last;
    for (const RequestRun* run : runs) {
        const std::string& id = run->context().request.request_id;
        if (id == last) continue;  // lines of one bulk request
        (ids += ids.empty() ? "" : ",") += id;
        last = id;
    }
    return ids;
}

void note_failure(std::span<RequestRun* const> runs, const std::exception& failure) {
    if (database::is_doubtful(failure)) std::ranges::for_each(runs, &RequestRun::set_outcome_unknown);
    util::log(util::Severity::notice, "requests executed together are repeated one by one",
              {{"requests", runs.size()}, {"reason", logged_reason(failure)}, {"request_ids", ids_of(runs)}});
}

class Executor {
public:
    explicit Executor(const Execution& execution)
        : execution_(execution), database_(execution.worker.database) {}

    void execute(std::span<RequestRun* const> runs) {
        std::vector<RequestRun*> batch = runs_with(Next::batch, runs);
        std::erase_if(batch, [](RequestRun* run) { return run->drop_abandoned(); });
        if (execution_.together == Together::dry_run)
            rehearse(batch);
        else if (batch.size() > 1)
            execute_together(batch);
        for (RequestRun* run : runs) {
            if (!run->is_answered() && run->next() != Next::retry_lock) execution_.execute_single(*run);
        }
    }

private:
    void execute_together(std::span<RequestRun* const> batch) {
        std::vector<SharedCall> shared;
        std::vector<database::Rows> results;
        try {
            if (execution_.together == Together::locks_first) {
                database_.transaction(
                    [&] {
                        leave_locked(database_, batch, execution_.deadline);
                        shared = shared_calls_of(runs_with(Next::batch, batch));
                        results = send(shared);
                    },
                    execution_.deadline, execution_.request_id);
            } else {
                shared = shared_calls_of(batch);
                results = send(shared);
            }
        } catch (const std::exception& failure) {
            return note_failure(batch, failure);
        }
        execution_.worker.recorder.count_batch(batch.size());
        for (std::size_t number = 0; number < shared.size(); ++number)
            answer(shared[number], results[number]);
    }

    std::vector<database::Rows> send(const std::vector<SharedCall>& shared) {
        std::vector<database::Call> calls;
        for (const SharedCall& one : shared) calls.push_back(one.call);
        return database_.execute_together(calls, execution_.deadline);
    }

    /// Each is judged by what is stored: those of a call do not know of each other.
    void rehearse(std::span<RequestRun* const> batch) {
        for (const SharedCall& shared : shared_calls_of(batch)) {
            try {
                answer(shared, http::execute(shared.runs.front()->context(), database_, shared.call));
            } catch (const std::exception& failure) {
                note_failure(shared.runs, failure);
            }
        }
    }

    const Execution& execution_;
    database::Database& database_;
};

}  // namespace

void execute(const Execution& execution, std::span<RequestRun* const> runs) {
    Executor(execution).execute(runs);
}

std::vector<RequestRun*> runs_with(Next next, std::span<RequestRun* const> runs) {
    std::vector<RequestRun*> found;
    std::ranges::copy_if(runs, std::back_inserter(found),
                         [&](const RequestRun* run) { return run->next() == next; });
    return found;
}

void leave_locked(database::Database& database, std::span<RequestRun* const> runs,
                  database::Deadline deadline) {
    std::set<std::string_view> accounts;
    for (const RequestRun* run : runs) accounts.insert(run->lock_name());
    const database::Rows rows =
        database.execute(store::lock_accounts({accounts.begin(), accounts.end()}), deadline);
    std::set<std::string_view> locked;
    for (std::size_t row = 0; row < rows.size(); ++row) locked.insert(rows.text(row, 0));
    for (RequestRun* run : runs) {
        if (locked.contains(run->lock_name())) run->leave_locked();
    }
}

}  // namespace data_import::http
