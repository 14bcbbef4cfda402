#include "http/pipeline.h"

#include <algorithm>
#include <string_view>

#include "database/call.h"
#include "database/failures.h"
#include "database/rows.h"
#include "http/carriages.h"
#include "http/failure_answer.h"
#include "util/log.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

/// Requests that are longer share no transaction with those of others, who would wait for them.
constexpr std::size_t long_body = 16 * 1024;

/// A worker that is busy for longer is waiting for something.
constexpr std::chrono::milliseconds long_wait{250};

/// For so long an account is taken to be held by somebody after it was.
constexpr std::chrono::milliseconds held_for{100};

/// The organisation that more than half of them come from, where they come from several; empty otherwise.
std::string_view prevailing_organisation(const std::vector<Visit*>& visits) {
    std::map<std::string_view, std::size_t> requests;
    for (const Visit* visit : visits) ++requests[visit->context().access->organisation];
    if (requests.size() < 2) return {};
    const auto& [organisation, most] = *std::ranges::max_element(
        requests, {}, [](const auto& of_organisation) { return of_organisation.second; });
    return most > visits.size() / 2 ? organisation : std::string_view();
}

/// Those with whom a request may share a transaction: its own organisation where its body is long or most
/// others are of it; empty stands for everybody else, who goes first.
std::string_view company_of(const Visit& visit, std::string_view prevailing) {
    const std::string_view organisation = visit.context().access->organisation;
    const bool keeps_to_itself =
        visit.context().request.body.size() >= long_body || organisation == prevailing;
    return keeps_to_itself ? organisation : std::string_view();
}

database::Deadline earliest_deadline(const std::vector<Visit*>& visits) {
    return std::ranges::min(visits, {}, [](const Visit* visit) { return visit->context().deadline; })
        ->context()
        .deadline;
}

/// For the log, which has room for some hundred of them.
std::string ids_of(const std::vector<Visit*>& visits) {
    std::string ids;
    for (const Visit* visit : visits) (ids += ids.empty() ? "" : ",") += visit->context().request.request_id;
    return ids;
}

std::vector<Visit*> those_that_travel(Travel travel, std::span<const std::unique_ptr<Admitted>> requests) {
    std::vector<Visit*> found;
    for (const auto& request : requests) {
        auto* visit = static_cast<Visit*>(request.get());
        if (visit->travel() == travel) found.push_back(visit);
    }
    return found;
}

}  // namespace

std::unique_ptr<Admitted> Pipeline::admit(const Task& task) {
    auto visit = std::make_unique<Visit>(task, means_);
    if (visit->admit()) return visit;
    visit->report();
    return nullptr;
}

// One account that is held must not hold up requests for others: those go first.
void Pipeline::answer(std::span<const std::unique_ptr<Admitted>> requests,
                      const std::function<void()>& before_waiting) {
    for (const auto& request : requests) static_cast<Visit&>(*request).prepare();
    const std::vector<Visit*> together = those_that_travel(Travel::together, requests);
    const std::string_view prevailing = prevailing_organisation(together);
    std::map<std::string_view, std::vector<Visit*>> companies;
    for (Visit* visit : together) companies[company_of(*visit, prevailing)].push_back(visit);
    const bool is_only_one = requests.size() == 1;
    for (auto& [name, company] : companies) {
        before_waiting();
        travel_together(std::move(company), is_only_one);
    }
    for (const Travel travel : {Travel::alone, Travel::once}) {
        for (Visit* visit : those_that_travel(travel, requests)) {
            before_waiting();
            travel_alone(*visit, is_only_one);
        }
    }
    const auto end = steady_clock::now() + brief_wait;
    for (Visit* visit : those_that_travel(Travel::held, requests)) {
        before_waiting();
        wait_for_account(*visit, end);
    }
    const util::LinesTogether lines;
    for (const auto& request : requests) static_cast<Visit&>(*request).report();
}

void Pipeline::tick() {
    log_beyond_share(std::exchange(means_.beyond_share, {}));
}

// When anything unexpected happens, none of them has taken effect: repeated one by one, only the culprit
// fails.
void Pipeline::travel_together(std::vector<Visit*> visits, bool is_only_one) {
    std::erase_if(visits, [](Visit* visit) { return visit->drop_abandoned(); });
    // in one order everywhere, so that two batches do not wait for each other's accounts
    std::ranges::stable_sort(visits, {}, [](const Visit* visit) { return account_of(*visit); });
    try_together(visits);
    if (visits.size() == 1) {
        Visit& only = *visits.front();
        travel_alone(only, is_only_one);
        if (only.travel() == Travel::held) remember_held(only);
        return;
    }
    for (Visit* visit : visits) visit->travel(Travel::alone);
}

/// Takes from `visits` those that are answered, or held.
void Pipeline::try_together(std::vector<Visit*>& visits) {
    std::erase_if(visits, [this](Visit* visit) {
        const bool held = is_held(*visit);
        if (held) visit->travel(Travel::held);
        return held;
    });
    if (visits.size() < 2) return;
    const std::vector<Carriage> carriages = carriages_of(visits);
    std::vector<database::Call> calls;
    for (const Carriage& carriage : carriages) calls.push_back(call_of(carriage));
    try {
        const std::vector<database::Rows> results =
            means_.database.execute_together(calls, earliest_deadline(visits));
        means_.recorder.count_batch(visits.size());
        for (std::size_t number = 0; number < carriages.size(); ++number)
            hand_over(carriages[number], results[number]);
        visits.clear();
    } catch (const std::exception& failure) {
        if (database::is_doubtful(failure)) std::ranges::for_each(visits, &Visit::doubt);
        util::log(util::Severity::notice, "requests taken together are repeated one by one",
                  {{"requests", visits.size()},
                   {"reason", logged_reason(failure)},
                   {"request_ids", ids_of(visits)}});
    }
}

void Pipeline::hand_over(const Carriage& carriage, const database::Rows& rows) {
    const std::vector<database::Rows> parts = store::by_request(rows, carriage.size());
    for (std::size_t place = 0; place < carriage.size(); ++place) {
        Visit& visit = *carriage[place];
        if (visit.answer(parts[place])) continue;
        remember_held(visit);
        visit.travel(Travel::held);
    }
}

// Where there is nobody to go first, to try in vain would only cost time. A dry run never waits long.
void Pipeline::travel_alone(Visit& visit, bool is_only_one) {
    const auto& access = visit.context().access;
    const bool disturbs_nobody =
        is_only_one && !visit.context().is_dry && (!access || means_.recorder.is_alone(access->organisation));
    const auto wait = disturbs_nobody ? store::LockWait::patient : store::LockWait::none;
    if (visit.drop_abandoned() || visit.carry_out(wait)) return;
    visit.travel(Travel::held);
}

// Some workers have to be left for others' accounts: who may not wait is tried until `end`, at least once.
void Pipeline::wait_for_account(Visit& visit, steady_clock::time_point end) {
    if (visit.drop_abandoned()) return;
    means_.recorder.wait_for_others();
    const auto& access = visit.context().access;
    const bool may_wait = !access || means_.recorder.is_alone(access->organisation) ||
                          means_.recorder.stuck_siblings(long_wait) < most_waiting_;
    if (may_wait && !visit.context().is_dry ? visit.carry_out(store::LockWait::patient)
                                            : visit.carry_out_until(end))
        return;
    visit.refuse(
        {Code::throttled,
         "Other requests for the same account or participant are still being worked on: repeat this one "
         "later, and send fewer of them at a time."});
}

void Pipeline::remember_held(const Visit& visit) {
    const auto now = steady_clock::now();
    std::erase_if(held_, [&](const auto& account) { return now - account.second >= held_for; });
    held_.insert_or_assign(std::string(account_of(visit)), now);
}

/// Whether somebody else has the account, or had it a moment ago.
bool Pipeline::is_held(const Visit& visit) const {
    if (held_.empty()) return false;
    const auto found = held_.find(account_of(visit));
    return found != held_.end() && steady_clock::now() - found->second < held_for;
}

}  // namespace data_import::http
