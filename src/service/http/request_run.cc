#include "service/http/request_run.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>

#include "service/http/checks.h"
#include "service/http/dry_run.h"
#include "service/http/failure_answer.h"
#include "service/http/idempotency_key.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

constexpr std::string_view lock_not_available = "55P03";

/// A request stops waiting for a lock this long before its deadline, so that the client still gets the
/// refusal. If the time-out of requests is short, a fifth of the time-out is used instead.
constexpr std::chrono::seconds time_to_refuse{10};

/// A request that has waited this long is worked on even if its organisation's share is used up, because the
/// requests that use up the share are probably stuck.
constexpr std::chrono::seconds longest_wait_for_share{5};

database::Rows execute_or_find_locked(const Context& context, database::Database& database,
                                      const database::Call& call) {
    try {
        return execute_call(context, database, call);
    } catch (const database::Refused& refused) {
        if (refused.sqlstate() == lock_not_available) throw AccountLocked();
        throw;
    }
}

}  // namespace

RequestRun::RequestRun(const Task& task, WorkerContext& worker)
    : worker_(worker),
      context_{.request = task.request, .deadline = steady_clock::now() + worker.options.timeout},
      responder_(task.responder),
      is_outcome_unknown_(task.request.is_sent_again) {}

RequestRun::RequestRun(const Task& task, WorkerContext& worker, const Context& bulk, std::size_t line,
                       bool is_success_told)
    : worker_(worker),
      context_{.request = task.request,
               .access = bulk.access,
               .deadline = bulk.deadline,
               .is_dry = bulk.is_dry,
               .is_success_told = is_success_told,
               .line = line},
      responder_(task.responder),
      is_outcome_unknown_(false) {}

bool RequestRun::is_ready() {
    const auto now = steady_clock::now();
    if (now < next_try_) return false;
    sharing::Slot* const slot = responder_.slot();
    return slot == nullptr || slot->begin_work(now - begun_at_ >= longest_wait_for_share);
}

// A request with an Idempotency-Key is checked and planned later, in carry_out_under_key().
void RequestRun::prepare(std::optional<json::Document> body) {
    context_.document = std::move(body);
    attempt([this] {
        if (!has_key()) {
            check_content();
            plan();
        }
        next_ = way();
        if (endpoint_->run && !endpoint_->waits) carry_out_alone();
    });
}

void RequestRun::check_content() {
    check_payload(context_, *endpoint_, sent_query_, worker_.options.unknown_fields);
}

void RequestRun::plan() {
    check_supplier(context_, *endpoint_);
    if (endpoint_->import) import_.emplace(endpoint_->import(context_));
    if (endpoint_->plan) call_ = endpoint_->plan(context_);
}

Next RequestRun::way() const {
    if (has_key()) return Next::under_key;
    const bool is_own_dry_run = context_.is_dry && !context_.is_line();
    return import_ && import_->retryable && !is_own_dry_run ? Next::batch : Next::single;
}

bool RequestRun::has_key() const {
    return context_.request.idempotency_key && takes_idempotency_key(*endpoint_);
}

std::string_view RequestRun::lock_name() const {
    return import_ ? std::string_view(import_->fields.front()) : std::string_view(context_.request.path);
}

void RequestRun::carry_out_alone() {
    if (drop_abandoned()) return;
    attempt([this] {
        try {
            if (next_ == Next::under_key) {
                carry_out_once();
            } else if (context_.is_dry && !context_.is_line()) {
                DryRunResponder told(responder_);
                carry_out(told);
            } else {
                carry_out(responder_);
            }
            next_ = Next::done;
        } catch (const AccountLocked&) {
            leave_locked();
        }
    });
}

void RequestRun::carry_out(Responder& responder, const std::optional<store::Place>& place_of_key) {
    if (import_) {
        const database::Rows rows = carry_out_import(place_of_key);
        if (store::is_locked(rows)) throw AccountLocked();
        return reply(rows, responder);
    }
    if (endpoint_->ask && !call_) {
        std::variant<Reply, database::Call> found = endpoint_->ask(context_, worker_.database);
        if (Reply* const answer = std::get_if<Reply>(&found)) return responder.send(*answer);
        call_ = std::get<database::Call>(std::move(found));
    }
    if (call_) return reply(execute_or_find_locked(context_, worker_.database, *call_), responder);
    if (endpoint_->takes_lines) return worker_.answer_lines(context_, worker_, responder);
    const auto has_others = [this] {
        return context_.access && !worker_.recorder.shares().is_alone(context_.access->organisation);
    };
    PacedResponder paced(responder, has_others, worker_.options.most_rest);
    endpoint_->run(context_, worker_.database, paced);
}

// Carries out the import in one call, and returns its rows. `place_of_key` is the database that keeps the
// answer to a request with an Idempotency-Key; nothing for other requests. Such a request is carried out in
// this database, because its import and its answer are stored in one transaction.
database::Rows RequestRun::carry_out_import(const std::optional<store::Place>& place_of_key) {
    const store::Import* const alone = &*import_;
    std::optional<database::Rows> rows;
    const auto carry_out_at = [&](const store::Place& place) {
        rows = execute_call(context_, *place.database, store::together({&alone, 1}, place.schema));
    };
    if (place_of_key)
        carry_out_at(*place_of_key);
    else
        worker_.shard_groups.at_place(lock_name(), context_.deadline, carry_out_at);
    return *std::move(rows);
}

void RequestRun::carry_out_once() {
    // `ask` and `run` may take long, so no transaction stays open while they work.
    const bool asks = endpoint_->ask || endpoint_->run;
    const auto claim = asks ? store::ClaimUntil::release : store::ClaimUntil::end_of_transaction;
    const CarriedOut done = worker_.keyed_answers.answer(
        context_, *endpoint_, account_of_body(),
        [this](const store::Place& place) { return carry_out_under_key(place); }, claim);
    if (done.refused_for) note_refusal(*done.refused_for);
    note_differing(done.reply);
    responder_.send(done.reply);
}

// Returns nothing if the body cannot be read. Such a request still has to be looked up under its
// Idempotency-Key: if the key was used for another request, it is refused for that reason.
std::optional<std::string> RequestRun::account_of_body() {
    try {
        read_document(context_, *endpoint_);
    } catch (const Problem&) {
        return std::nullopt;
    }
    return account_key_in_body(endpoint_, context_);
}

// Returns an answer that is to be kept, because it stays true: a success, or the refusal of an invalid
// payload. Throws all other refusals, because nothing was stored, and an operator may remove their cause.
//
// Throws the refusal of a wrong query string, too. The query string is a part of the request that the key
// belongs to, so a client with a kept refusal could not send the corrected query string under the same key.
CarriedOut RequestRun::carry_out_under_key(const store::Place& place) {
    try {
        check_content();
    } catch (const Problem& problem) {
        if (!read_query(sent_query_, endpoint_->query).violations.empty()) throw;
        return {.reply = render_refusal(problem, endpoint_, context_), .refused_for = problem};
    }
    plan();
    HeldAnswer answer;
    carry_out(answer, place);
    return {.reply = answer.reply()};
}

void RequestRun::end_with(const database::Rows& rows) {
    attempt([&] {
        if (store::is_locked(rows)) return leave_locked();
        reply(rows, responder_);
        next_ = Next::done;
    });
}

void RequestRun::end_with(const std::exception_ptr& failure) {
    attempt([&] { std::rethrow_exception(failure); });
}

// While the request pauses, other requests of its organisation may use its part of the pool.
bool RequestRun::pause() {
    const auto until = context_.deadline - std::min(time_to_refuse, worker_.options.timeout / 5);
    const auto next = lock_wait_.next_try(until);
    if (!next) return false;
    next_try_ = *next;
    if (sharing::Slot* const slot = responder_.slot()) slot->pause_work();
    return true;
}

void RequestRun::reply(const database::Rows& rows, Responder& responder) {
    worker_.recorder.count_database_answer();
    const Reply reply = endpoint_->reply(context_, rows);
    if (!has_key()) note_differing(reply);
    responder.send(reply);
}

void RequestRun::note_differing(const Reply& reply) {
    if (reply.differing == 0 || context_.is_dry) return;
    worker_.refusals.note_differing(*endpoint_, supplier_of_refusal(endpoint_, context_), reply,
                                    context_.request.request_id);
}

void RequestRun::refuse(const Problem& problem) {
    attempt([&] { throw problem; });
}

void RequestRun::refuse_for_lock() {
    refuse(
        {Code::service_unavailable,
         "Other work has locked the account or participant for too long; nothing of this was stored. Repeat "
         "it as it is."});
}

/// Runs a stage. Returns false if it failed: then the failure is the answer, and the request is done.
bool RequestRun::attempt(const std::function<void()>& stage) {
    bool succeeded = false;
    try {
        try {
            stage();
            succeeded = true;
        } catch (const HeadSent&) {
            next_ = Next::done;
            succeeded = true;
        } catch (const ClientGone&) {
            throw;
        } catch (...) {
            FailureAnswer failure = current_failure(context_.request.request_id);
            if (is_outcome_unknown_)
                failure = with_unknown_outcome(std::move(failure), context_.request.request_id);
            log_.reason = failure.reason;
            if (failure.of_database) worker_.recorder.count_database_failure(*failure.of_database);
            add_hint(failure.problem);
            refuse(failure.problem, responder_);
        }
    } catch (const ClientGone&) {
        log_.reason = RequestLog::client_gone;
    } catch (const std::exception& failure) {
        log_.reason = failure.what();
    }
    if (!succeeded) next_ = Next::done;
    log_.stop();
    return succeeded;
}

void RequestRun::add_hint(Problem& problem) {
    if (!problem.is_unknown_number) return;
    if (const auto account = named_account(endpoint_, context_))
        problem.hint = worker_.number_hints.about(*account, context_.deadline);
}

void RequestRun::refuse(const Problem& problem, Responder& responder) {
    note_refusal(problem);
    // An answer that has begun cannot become an error any more. The transport cuts it.
    if (!responder.begun()) responder.send(render_refusal(problem, endpoint_, context_));
}

void RequestRun::note_refusal(const Problem& problem) {
    log_.note_refusal(endpoint_, context_, problem);
    if (codes::row_of(problem.code).status < 500 && is_public() && !context_.is_dry) {
        worker_.refusals.note(endpoint_, log_.refusal.import_supplier, problem, context_.request.request_id);
        worker_.refusals.keep(endpoint_, context_, problem);
    }
}

bool RequestRun::drop_abandoned() {
    if (!responder_.is_abandoned()) return false;
    worker_.recorder.count_abandoned();
    give_turn_back();
    log_.reason = RequestLog::client_gone;
    log_.stop();
    next_ = Next::done;
    return true;
}

// Anybody may send any number of requests without a valid token, so not each of their refusals gets a log
// line.
bool RequestRun::is_of_stranger(int status) const {
    return !context_.access && is_public() && status >= 400 && status < 500;
}

void RequestRun::report() {
    const int status = responder_.status();
    if (is_of_stranger(status) && !worker_.options.log_requests)
        log_.is_counted_only = !worker_.strangers.has_line();
    log_.write(context_, endpoint_, status,
               worker_.options.log_requests && !context_.is_line() && is_public());
    metrics::RequestFigures figures{.status = status,
                                    .took = log_.took,
                                    .received_bytes = context_.request.body.size(),
                                    .sent_bytes = responder_.bytes()};
    if (endpoint_ != nullptr) {
        figures.endpoint = static_cast<std::size_t>(endpoint_ - worker_.endpoints.data());
        if (!context_.is_dry) worker_.recorder.count_items(*figures.endpoint, responder_.stored());
    }
    worker_.recorder.count_request(figures);
}

}  // namespace data_import::http
