#include "http/pipeline.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

#include "http/failure.h"
#include "http/idempotency_key.h"
#include "http/journal.h"
#include "http/media_type.h"
#include "http/responders.h"
#include "json/reader.h"
#include "util/log.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

// Step 1. What nginx lets through is checked again: the socket may have other clients.
void check_transport(const Endpoint& endpoint, const Request& request) {
    if (request.body.size() > endpoint.max_body_bytes) {
        throw Problem{Code::payload_too_large,
                      "The body is larger than " + std::to_string(endpoint.max_body_bytes) + " bytes."};
    }
    if (endpoint.body && !is_json(request.content_type)) throw Problem{Code::unsupported_media_type};
    if (endpoint.body && !is_as_it_is(request.content_encoding)) {
        throw Problem{Code::unsupported_media_type,
                      "The body has to be sent as it is: no Content-Encoding is taken here."};
    }
    switch (request.body_state) {
        case BodyState::complete:
            return;
        case BodyState::too_large:
            throw Problem{Code::payload_too_large};
        case BodyState::bad_length:
            throw Problem{Code::bad_request, "The request is not valid: its Content-Length is wrong."};
        case BodyState::late:
            throw Problem{Code::request_timeout};
        case BodyState::cut:
            throw Problem{Code::bad_request,
                          "The request is not complete: its body is shorter than announced."};
    }
}

// An endpoint may add to what its refusals say once the payload could be read.
Reply render_for(const Endpoint* endpoint, const Context& context, const Problem& problem) {
    const bool extends = endpoint != nullptr && endpoint->extend_refusal && context.document &&
                         problem.code == Code::validation_error;
    if (!extends) return render(problem);
    return render(problem, [&](json::Writer& writer) { endpoint->extend_refusal(writer, context, problem); });
}

// Step 3.
json::Document read_body(const Request& request) {
    try {
        return json::read(request.body);
    } catch (const json::SyntaxError& error) {
        throw Problem{Code::parse_error, error.what()};
    }
}

/// The supplier that a valid request is about; only its body tells.
std::optional<std::string> supplier_of(const Endpoint& endpoint, const Context& context) {
    if (endpoint.supplier != SupplierIn::body) return std::nullopt;
    return std::string(context.body().at("import_supplier").text());
}

/// How many records a body brings: the items of its arrays, one where it has none.
std::size_t count_items(const json::Value& body) {
    std::size_t items = 0;
    for (const auto& [name, value] : body.members()) {
        if (value.is(json::Type::array)) items += value.size();
    }
    return std::max<std::size_t>(items, 1);
}

/// How much of its pool a request takes: more than nothing, and the more the longer it is.
std::uint64_t work_of(const Request& request, bool by_bytes) {
    constexpr std::uint64_t least = 1024;
    return by_bytes ? least + request.body.size() : 1;
}

/// Requests that are longer share no transaction with those of others, who would wait for them.
constexpr std::size_t long_body = 16 * 1024;

/// A worker that is busy for longer is waiting for something.
constexpr std::chrono::milliseconds long_wait{250};

/// For so long an account is taken to be held by somebody after it was.
constexpr std::chrono::milliseconds held_for{100};

/// Batches take the locks of their accounts in this order, so that two of them cannot wait for each other.
auto account_order(const Context& context) {
    const json::Value body = context.body();
    return std::tuple(body.at("import_supplier").text(), body.at("external_account_number").text());
}

std::string account_name(const Context& context) {
    const auto [supplier, number] = account_order(context);
    return std::string(supplier) + '\x1f' + std::string(number);
}

}  // namespace

/// One request on its way through the pipeline.
struct Pipeline::Visit : Admitted {
    Visit(const Task& task, std::chrono::seconds timeout)
        : context{.request = task.request, .deadline = steady_clock::now() + timeout},
          responder(task.responder),
          journal(task.request) {}

    [[nodiscard]] const Endpoint& endpoint() const { return *journal.endpoint; }
    [[nodiscard]] bool may_go_together() const { return call && !rest; }
    /// Those with whom this one may share a transaction: a name, empty for everybody whose body is short.
    [[nodiscard]] std::string_view company() const {
        return context.request.body.size() < long_body ? std::string_view() : context.access->organisation;
    }

    Context context;
    RecordingResponder responder;
    Journal journal;
    std::optional<metrics::Recorder::Slot> slot = {};  ///< its part of the pool
    std::optional<store::Call> call = {};              ///< planned
    std::function<void(store::LockWait)> rest = {};    ///< what is left to do, alone
    bool is_held = false;                              ///< somebody else has its account
    bool is_beyond_share = false;                      ///< refused for the sake of others
    bool is_over = false;                              ///< refused, or there is nobody to be answered
};

std::unique_ptr<Admitted> Pipeline::admit(const Task& task) {
    auto visit = std::make_unique<Visit>(task, options_.timeout);
    attempt(*visit, [&] { enter(*visit); });
    if (!visit->is_over) return visit;
    report(*visit);
    return nullptr;
}

void Pipeline::answer(std::span<const std::unique_ptr<Admitted>> requests) {
    std::vector<Visit*> visits;
    std::map<std::string_view, std::vector<Visit*>> planned;
    for (const auto& request : requests) {
        Visit& visit = *visits.emplace_back(static_cast<Visit*>(request.get()));
        attempt(visit, [&] { serve(visit); });
        if (visit.may_go_together()) planned[visit.company()].push_back(&visit);
    }
    for (auto& [company, group] : planned) execute_together(std::move(group));
    std::vector<Visit*> alone;
    std::ranges::copy_if(visits, std::back_inserter(alone), [](const Visit* visit) { return !!visit->rest; });
    finish(alone);
    for (Visit* visit : visits) report(*visit);
}

void Pipeline::tick() {
    for (const auto& [api_key, requests] : beyond_share_) {
        util::log(util::Severity::notice, "requests were refused beyond their organisation's share",
                  {{"api_key", api_key}, {"requests", requests}});
    }
    beyond_share_.clear();
}

template <typename Step>
void Pipeline::attempt(Visit& visit, const Step& step) {
    try {
        try {
            step();
        } catch (const ClientGone&) {
            throw;
        } catch (...) {
            const Failure failure = current_failure(visit.context.request.request_id);
            visit.journal.reason = failure.reason;
            if (failure.of_database) observers_.recorder.count_database_failure(*failure.of_database);
            refuse(visit, failure.problem, visit.responder);
        }
    } catch (const ClientGone&) {
        visit.journal.reason = Journal::client_gone;
        visit.is_over = true;
    } catch (const std::exception& failure) {
        visit.journal.reason = failure.what();
        visit.is_over = true;
    }
    visit.journal.stop();
}

void Pipeline::refuse(Visit& visit, const Problem& problem, Responder& responder) {
    visit.is_over = true;
    visit.journal.code = kind_of(problem.code).name;
    if (kind_of(problem.code).status < 500) {
        observers_.refusals.note(visit.journal.endpoint,
                                 supplier_of_refusal(visit.journal.endpoint, visit.context), problem,
                                 visit.context.request.request_id);
    }
    // an answer that has begun cannot become an error any more: the transport cuts it
    if (!responder.begun()) responder.send(render_for(visit.journal.endpoint, visit.context, problem));
}

// Refusals for the sake of others come by the thousand: they are logged together.
void Pipeline::report(Visit& visit) {
    const int status = visit.responder.status();
    if (visit.is_beyond_share) {
        ++beyond_share_[visit.context.access->id];
    } else {
        visit.journal.write(status, options_.log_requests);
    }
    metrics::RequestFigures figures{.status = status,
                                    .took = visit.journal.took,
                                    .received_bytes = visit.context.request.body.size(),
                                    .sent_bytes = visit.responder.bytes()};
    if (visit.journal.endpoint != nullptr) {
        figures.endpoint = static_cast<std::size_t>(visit.journal.endpoint - endpoints_.data());
        if (status < 300 && visit.context.document)
            observers_.recorder.count_items(*figures.endpoint, count_items(visit.context.body()));
    }
    observers_.recorder.count_request(figures);
}

void Pipeline::serve(Visit& visit) {
    const Endpoint& endpoint = visit.endpoint();
    if (visit.context.request.idempotency_key && takes_idempotency_key(endpoint)) {
        visit.rest = [this, &visit](store::LockWait wait) { serve_once(visit, wait); };
        return;
    }
    check_payload(visit);
    check_supplier(visit);
    if (endpoint.run && !endpoint.waits) return execute(visit, visit.responder, store::LockWait::patient);
    plan(visit);
    if (visit.call && endpoint.supplier == SupplierIn::body && visit.call->repeatable) return;
    leave_alone(visit);
}

void Pipeline::leave_alone(Visit& visit) {
    visit.rest = [this, &visit](store::LockWait wait) { execute(visit, visit.responder, wait); };
}

// Steps 1 and 2.
void Pipeline::enter(Visit& visit) {
    Context& context = visit.context;
    Route route = router_.find(context.request.method, context.request.path);
    context.segments = std::move(route.segments);
    visit.journal.endpoint = route.endpoint;
    check_transport(*route.endpoint, context.request);
    if (!route.endpoint->needs_token) return;
    context.access = authenticator_.authenticate(context.request.authorization, database_, context.deadline);
    visit.journal.api_key_id = context.access->id;
    take_share(visit);
}

// Before anything of the body is looked at: to refuse has to cost next to nothing.
void Pipeline::take_share(Visit& visit) {
    auto slot = observers_.recorder.take_slot(visit.context.access->organisation,
                                              work_of(visit.context.request, options_.shares_bytes));
    if (slot) {
        visit.slot.emplace(std::move(*slot));
        return;
    }
    visit.is_beyond_share = true;
    throw Problem{Code::throttled,
                  "Your organisation has its share of the service at present, and others want to work, too: "
                  "repeat this request later, and send fewer at a time."};
}

// Steps 3 and 4. The query stands before the body, so what is wrong with it is reported first.
void Pipeline::check_payload(Visit& visit) const {
    const Endpoint& endpoint = visit.endpoint();
    Context& context = visit.context;
    if (endpoint.body) context.document = read_body(context.request);
    Query query = endpoint.query.empty()
                      ? Query{}
                      : read_query(context.request.query, endpoint.query, options_.unknown_fields);
    context.query = std::move(query.values);
    std::vector<schema::Violation> violations = std::move(query.violations);
    if (endpoint.body) {
        std::ranges::move(schema::check(*endpoint.body, context.body(), options_.unknown_fields),
                          std::back_inserter(violations));
    }
    if (violations.size() > schema::max_violations) violations.resize(schema::max_violations);
    if (!violations.empty()) throw validation_error(std::move(violations));
}

// Step 5. A scope holds existing suppliers only, so an unknown supplier and somebody else's fail alike, here.
void Pipeline::check_supplier(const Visit& visit) {
    const Context& context = visit.context;
    switch (visit.endpoint().supplier) {
        case SupplierIn::nowhere:
            return;
        case SupplierIn::body:
            if (context.access->import_suppliers.contains(context.body().at("import_supplier").text()))
                return;
            throw Problem{Code::account_not_found};
        case SupplierIn::first_segment:
            if (context.access->import_suppliers.contains(context.segments.front())) return;
            throw Problem{Code::not_found, "There is no such import supplier or account for this token."};
    }
}

void Pipeline::plan(Visit& visit) {
    if (visit.endpoint().plan) visit.call = visit.endpoint().plan(visit.context);
}

void Pipeline::execute(Visit& visit, Responder& responder, store::LockWait wait) {
    if (!visit.call) return visit.endpoint().run(visit.context, database_, responder);
    reply(visit, database_.execute(*visit.call, visit.context.deadline, wait), responder);
}

void Pipeline::reply(const Visit& visit, const store::Rows& rows, Responder& responder) {
    observers_.recorder.count_database_answer();
    responder.send(visit.endpoint().reply(visit.context, rows));
}

// Steps 6 to 8 of several requests. When anything unexpected happens, none of them has taken effect: repeated
// one by one, only the culprit fails. An account that somebody else has is left for later.
void Pipeline::execute_together(std::vector<Visit*> visits) {
    std::erase_if(visits, [this](Visit* visit) { return drop_abandoned(*visit) || is_held(*visit); });
    std::ranges::stable_sort(visits, {}, [](const Visit* visit) { return account_order(visit->context); });
    while (visits.size() > 1 && try_together(visits)) {
    }
    for (Visit* visit : visits) leave_alone(*visit);
}

/// Takes from `visits` those that are done with, or are held; true when it is to be tried again.
bool Pipeline::try_together(std::vector<Visit*>& visits) {
    std::vector<const store::Call*> calls;
    std::vector<store::Deadline> deadlines;
    for (const Visit* visit : visits) {
        calls.push_back(&*visit->call);
        deadlines.push_back(visit->context.deadline);
    }
    try {
        const std::vector<store::Rows> results =
            database_.execute_together(calls, std::ranges::min(deadlines));
        observers_.recorder.count_batch(visits.size());
        for (std::size_t index = 0; index < visits.size(); ++index) {
            Visit& visit = *visits[index];
            attempt(visit, [&] { reply(visit, results[index], visit.responder); });
        }
        visits.clear();
    } catch (const store::LockHeld& failure) {
        remember_held(*visits[failure.call()]);
        std::erase_if(visits, [this](Visit* visit) { return is_held(*visit); });
        return true;
    } catch (const std::exception& failure) {
        util::log(util::Severity::notice, "requests taken together are repeated one by one",
                  {{"requests", visits.size()}, {"reason", without_values(failure.what())}});
    }
    return false;
}

void Pipeline::remember_held(const Visit& visit) {
    const auto now = steady_clock::now();
    std::erase_if(held_, [&](const auto& account) { return now - account.second >= held_for; });
    held_.insert_or_assign(account_name(visit.context), now);
}

/// Whether somebody else has the account, or had it a moment ago; the request is left for later then.
bool Pipeline::is_held(Visit& visit) {
    if (held_.empty()) return false;
    const auto found = held_.find(account_name(visit.context));
    if (found == held_.end() || steady_clock::now() - found->second >= held_for) return false;
    visit.is_held = true;
    leave_alone(visit);
    return true;
}

bool Pipeline::drop_abandoned(Visit& visit) {
    if (!visit.responder.is_abandoned()) return false;
    observers_.recorder.count_abandoned();
    visit.journal.reason = Journal::client_gone;
    visit.journal.stop();
    return true;
}

// One account that is held must not hold up requests for others: those of the batch go first.
void Pipeline::finish(const std::vector<Visit*>& visits) {
    std::vector<Visit*> held;
    for (Visit* visit : visits) {
        if (drop_abandoned(*visit)) continue;
        if (visit->is_held) {
            held.push_back(visit);
            continue;
        }
        attempt(*visit, [&] {
            try {
                visit->rest(store::LockWait::brief);
            } catch (const store::LockHeld&) {
                visit->is_held = true;
                held.push_back(visit);
            }
        });
    }
    for (Visit* visit : held) {
        if (!drop_abandoned(*visit)) attempt(*visit, [&] { wait_for_account(*visit); });
    }
}

// Some workers have to be left for others' accounts.
void Pipeline::wait_for_account(Visit& visit) {
    const auto& access = visit.context.access;
    if (visit.is_held) observers_.recorder.wait_for_others();
    if (!access || observers_.recorder.is_alone(access->organisation) ||
        observers_.recorder.stuck_siblings(long_wait) < options_.most_waiting)
        return visit.rest(store::LockWait::patient);
    try {
        visit.rest(store::LockWait::brief);
    } catch (const store::LockHeld&) {
        throw Problem{Code::throttled,
                      "Other requests for this account are still being worked on: repeat this one later, and "
                      "send fewer for the same account at a time."};
    }
}

// A request with an Idempotency-Key travels alone. What waits for somebody else must not do so with a
// transaction open: its session holds the key meanwhile.
void Pipeline::serve_once(Visit& visit, store::LockWait wait) {
    const auto claim =
        visit.endpoint().run ? store::ClaimUntil::release : store::ClaimUntil::end_of_transaction;
    visit.responder.send(keyed_answers_.answer(
        visit.context, [&] { return carry_out(visit); }, claim, wait));
}

// Kept is what stays true: a success, or that the payload itself is not valid. Other refusals may be mended
// by an operator, and nothing was stored with them.
CarriedOut Pipeline::carry_out(Visit& visit) {
    HeldAnswer answer;
    try {
        check_payload(visit);
    } catch (const Problem& problem) {
        refuse(visit, problem, answer);
        return {answer.reply()};
    }
    check_supplier(visit);
    plan(visit);
    execute(visit, answer, store::LockWait::patient);
    return {answer.reply(), supplier_of(visit.endpoint(), visit.context)};
}

}  // namespace data_import::http
