#include "http/pipeline.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "database/call.h"
#include "database/failures.h"
#include "database/rows.h"
#include "http/carriages.h"
#include "http/failure_answer.h"
#include "util/log.h"

namespace data_import::http {

namespace {

/// Requests that are longer share no transaction with those of others, who would wait for them.
constexpr std::size_t long_body = 16 * 1024;

constexpr std::string_view too_many_for_account =
    "Other requests for the same account or participant are still being worked on: repeat this one later, "
    "and send fewer of them at a time.";

/// Bodies of requests that wait for locked accounts, in one worker: what was read of them takes some times as
/// much memory.
constexpr std::size_t most_waiting_bytes = 16UL * 1024 * 1024;

/// The organisation that more than half of them come from, where they come from several; empty otherwise.
std::string_view prevailing_organisation(const std::vector<Visit*>& visits) {
    std::map<std::string_view, std::size_t> requests;
    for (const Visit* visit : visits) ++requests[visit->context().access->organisation];
    if (requests.size() < 2) return {};
    const auto& [organisation, most] = *std::ranges::max_element(
        requests, {}, [](const auto& of_organisation) { return of_organisation.second; });
    return most > visits.size() / 2 ? organisation : std::string_view();
}

/// Those that may share a transaction: long bodies of one organisation, or short ones of the prevailing one;
/// the empty name stands for the short ones of all others. In the order in which they go.
struct Company {
    bool is_long;
    std::string_view organisation;
    auto operator<=>(const Company&) const = default;
};

Company company_of(const Visit& visit, std::string_view prevailing) {
    const std::string_view organisation = visit.context().access->organisation;
    const bool is_long = visit.context().request.body.size() >= long_body;
    return {is_long, is_long || organisation == prevailing ? organisation : std::string_view()};
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

std::vector<Visit*> those_that_travel(Travel travel, const std::vector<Visit*>& visits) {
    std::vector<Visit*> found;
    std::ranges::copy_if(visits, std::back_inserter(found), [&](const Visit* visit) {
        return visit->travel() == travel && !visit->is_waiting();
    });
    return found;
}

}  // namespace

std::unique_ptr<Admitted> Pipeline::admit(const Task& task) {
    auto visit = std::make_unique<Visit>(task, means_);
    if (visit->admit()) return visit;
    visit->report();
    return nullptr;
}

void Pipeline::answer(std::span<const std::unique_ptr<Admitted>> requests,
                      const std::function<void()>& before_waiting) {
    std::vector<Visit*> visits;
    for (const auto& request : requests) visits.push_back(static_cast<Visit*>(request.get()));
    begin_tries(visits);
    const std::vector<Visit*> together = those_that_travel(Travel::together, visits);
    const std::string_view prevailing = prevailing_organisation(together);
    std::map<Company, std::vector<Visit*>> companies;
    for (Visit* visit : together) companies[company_of(*visit, prevailing)].push_back(visit);
    for (auto& [name, company] : companies) {
        before_waiting();
        travel_together(std::move(company));
    }
    for (const Travel travel : {Travel::alone, Travel::once}) {
        for (Visit* visit : those_that_travel(travel, visits)) {
            before_waiting();
            travel_alone(*visit);
        }
    }
    const util::LinesTogether lines;
    for (Visit* visit : visits) {
        if (visit->is_answered()) visit->report();
    }
}

void Pipeline::tick() {
    log_beyond_share(std::exchange(means_.beyond_share, {}));
}

void Pipeline::begin_tries(const std::vector<Visit*>& visits) {
    std::vector<Visit*> have_waited;
    for (Visit* visit : visits) {
        if (visit->travel() == Travel::unread) {
            visit->prepare();
        } else if (visit->begin_try()) {
            waiting_bytes_ -= visit->context().request.body.size();
            have_waited.push_back(visit);
        }
    }
    pass_over_locked(have_waited);
}

// To look at the locks costs less than to send all that an import brings, again and again.
void Pipeline::pass_over_locked(const std::vector<Visit*>& visits) {
    std::set<std::string_view> accounts;
    for (const Visit* visit : visits) {
        if (visit->has_import()) accounts.insert(account_of(*visit));
    }
    if (accounts.empty()) return;
    std::set<std::string, std::less<>> locked;
    try {
        const database::Rows rows = means_.database.execute(
            store::lock_accounts({accounts.begin(), accounts.end()}), earliest_deadline(visits));
        for (std::size_t row = 0; row < rows.size(); ++row) locked.emplace(rows.text(row, 0));
    } catch (const std::exception&) {
        return;  // what is wrong, the imports find, too
    }
    for (Visit* visit : visits) {
        if (visit->has_import() && locked.contains(account_of(*visit))) wait_for_account(*visit);
    }
}

// When anything unexpected happens, none of them has taken effect: repeated one by one, only the culprit
// fails.
void Pipeline::travel_together(std::vector<Visit*> visits) {
    std::erase_if(visits, [](Visit* visit) { return visit->drop_abandoned(); });
    // in one order everywhere, so that two batches do not wait for each other's accounts
    std::ranges::stable_sort(visits, {}, [](const Visit* visit) { return account_of(*visit); });
    if (visits.size() > 1) try_together(visits);
    for (Visit* visit : visits) travel_alone(*visit);
}

/// Takes from `visits` those that are answered, or wait for their accounts.
void Pipeline::try_together(std::vector<Visit*>& visits) {
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
        if (!carriage[place]->answer(parts[place])) wait_for_account(*carriage[place]);
    }
}

void Pipeline::travel_alone(Visit& visit) {
    if (!visit.drop_abandoned() && !visit.carry_out()) wait_for_account(visit);
}

void Pipeline::wait_for_account(Visit& visit) {
    if (visit.drop_abandoned()) return;
    if (!may_wait(visit)) return visit.refuse({Code::throttled, std::string(too_many_for_account)});
    if (visit.wait_for_account()) {
        waiting_bytes_ += visit.context().request.body.size();
    } else if (visit.context().is_dry) {
        visit.refuse({Code::throttled, std::string(too_many_for_account)});
    } else {
        visit.refuse({Code::service_unavailable, std::string(account_stays_locked)});
    }
}

bool Pipeline::may_wait(const Visit& visit) const {
    const auto& access = visit.context().access;
    return waiting_bytes_ + visit.context().request.body.size() <= most_waiting_bytes &&
           (!access || means_.recorder.may_wait_for_account(access->organisation));
}

}  // namespace data_import::http
