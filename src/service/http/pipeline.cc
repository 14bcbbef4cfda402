#include "service/http/pipeline.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/util/limits.h"
#include "base/util/log.h"
#include "service/http/bulk.h"
#include "service/http/executor.h"

namespace data_import::http {

namespace {

constexpr std::string_view too_many_to_wait =
    "Other work has locked the account or participant, and too many requests are in flight for this one to "
    "wait: repeat it later, and send fewer at a time.";

/// Imports with bodies of this length or more are carried out after the shorter ones, in a transaction of
/// their own, so that short imports do not wait for them. In the attack one-account of `make attacks`, the
/// victim's p99 is 12 ms with this rule, and 30 ms without it.
constexpr std::size_t long_body = 16 * 1024;

bool is_short(const RequestRun* run) {
    return run->context().request.body.size() < long_body;
}

database::Deadline earliest_deadline(std::span<RequestRun* const> runs) {
    return std::ranges::min(runs, {}, [](const RequestRun* run) { return run->context().deadline; })
        ->context()
        .deadline;
}

}  // namespace

Pipeline::Pipeline(WorkerContext worker) : worker_(std::move(worker)) {
    worker_.answer_lines = answer_lines;
}

std::unique_ptr<Admitted> Pipeline::admit(const Task& task) {
    auto run = std::make_unique<RequestRun>(task, worker_);
    if (run->enter()) return run;  // checks path, transport, token and share
    run->report();
    return nullptr;
}

void Pipeline::answer(std::span<const std::unique_ptr<Admitted>> requests, WorkerEvents& events) {
    std::vector<RequestRun*> runs;
    for (const auto& request : requests) runs.push_back(static_cast<RequestRun*>(request.get()));
    prepare(runs);  // checks payload and supplier, and plans what is to be carried out
    std::vector<RequestRun*> batch = runs_with(Next::batch, runs);
    const auto longer = std::stable_partition(batch.begin(), batch.end(), is_short);
    carry_out({batch.begin(), longer}, events);
    carry_out({longer, batch.end()}, events);
    for (const Next alone : {Next::single, Next::under_key}) {
        for (RequestRun* run : runs_with(alone, runs)) carry_out({&run, 1}, events);
    }
    const util::LinesTogether lines;
    for (RequestRun* run : runs_with(Next::done, runs)) run->report();
}

void Pipeline::tick() {
    log_beyond_share(std::exchange(worker_.beyond_share, {}));
    log_strangers(worker_.strangers.take_counted());
}

void Pipeline::prepare(const std::vector<RequestRun*>& runs) {
    for (RequestRun* run : runs_with(Next::prepare, runs)) run->prepare();
    const std::vector<RequestRun*> again = runs_with(Next::retry_lock, runs);
    for (RequestRun* run : again) {
        waiting_bytes_ -= run->context().request.body.size();
        run->try_again();
    }
    look_at_locks(again);
    for (RequestRun* run : runs_with(Next::retry_lock, again)) wait_for_lock(*run);
}

// Finds out which accounts are still locked, before imports are tried again. For this, the database tries to
// lock each account; these locks end with the statement.
//
// The query costs less than sending whole imports again and again. With it, the victim's p99 in the attack
// `one-account` of `make attacks` is 15 ms; without it, 48 ms.
void Pipeline::look_at_locks(const std::vector<RequestRun*>& runs) {
    std::vector<RequestRun*> imports;
    std::ranges::copy_if(runs, std::back_inserter(imports), &RequestRun::has_import);
    if (imports.empty()) return;
    const database::Deadline deadline = earliest_deadline(imports);
    for (const AtNode& node : by_node(worker_, imports, deadline)) {
        try {
            for (const AtPlace& at : node.places) pass_over_locked(at, deadline);
        } catch (const std::exception&) {
            // Ignores a failure of the query. The imports are carried out next, and their answers then report
            // a failure that lasts.
        }
    }
}

void Pipeline::carry_out(std::span<RequestRun* const> runs, WorkerEvents& events) {
    if (runs.empty()) return;
    events.before_long_stage();
    execute_runs({worker_, Together::one_round_trip, earliest_deadline(runs),
                  [](RequestRun& run) { run.carry_out_alone(); }},
                 runs);
    for (RequestRun* run : runs_with(Next::retry_lock, runs)) wait_for_lock(*run);
}

void Pipeline::wait_for_lock(RequestRun& run) {
    if (run.drop_abandoned()) return;
    if (!may_wait(run)) return run.refuse({Code::throttled, std::string(too_many_to_wait)});
    if (!run.pause()) return run.refuse_for_lock();
    waiting_bytes_ += run.context().request.body.size();
}

bool Pipeline::may_wait(const RequestRun& run) const {
    const auto& access = run.context().access;
    return waiting_bytes_ + run.context().request.body.size() <= util::limits::waiting_bodies &&
           (!access || worker_.recorder.shares().may_wait_for_account(access->organisation));
}

}  // namespace data_import::http
