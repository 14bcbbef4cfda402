#include "http/visit.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <utility>

#include "http/bulk.h"
#include "http/dry_run.h"
#include "http/failure_answer.h"
#include "http/idempotency_key.h"
#include "http/media_type.h"
#include "json/reader.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

/// Somebody else has locked the account, or what else the request is for: nothing was stored.
struct AccountLocked {};

constexpr std::string_view lock_not_available = "55P03";

/// What is kept of a request's time for telling it that it waited in vain, and of little time a fifth.
constexpr std::chrono::seconds time_to_refuse{10};

/// Then a request is worked on even where its organisation has its share: what works on the others is stuck.
constexpr std::chrono::seconds longest_turn{5};

/// Between two tries, a quarter of the time that the account has been locked.
constexpr std::chrono::milliseconds shortest_pause{1};
constexpr std::chrono::milliseconds longest_pause{10};

json::Document read_body(const Request& request) {
    try {
        return json::read(request.body);
    } catch (const json::SyntaxError& error) {
        throw Problem{Code::parse_error, error.what()};
    }
}

/// How much of its pool a request takes: more than nothing, and the more the longer it is.
std::uint64_t work_of(const Request& request, bool by_bytes) {
    constexpr std::uint64_t least = 3 * 1024;
    return by_bytes ? least + request.body.size() : 1;
}

/// Of a line of a bulk request.
[[noreturn]] void refuse_address(std::string detail) {
    throw validation_error({{.attr = "path", .code = Code::invalid_choice, .detail = std::move(detail)}});
}

// 415 says what would do, each cause by its own header (RFC 9110, sections 12.5.3 and 15.5.16).
[[noreturn]] void refuse_type(const std::string& wanted) {
    throw Problem{
        Code::unsupported_media_type, "The Content-Type has to be " + wanted + '.', {}, {{"Accept", wanted}}};
}

[[noreturn]] void refuse_coding(std::string detail, const std::string& wanted) {
    throw Problem{Code::unsupported_media_type, std::move(detail), {}, {{"Accept-Encoding", wanted}}};
}

/// Whether what the account has already is added to it once more.
bool adds_again(const QueryValues& query) {
    const auto check = query.find("check_previously_added");
    return check != query.end() && !check->second;
}

}  // namespace

Visit::Visit(const Task& task, Means& means)
    : means_(means),
      context_{.request = task.request, .deadline = steady_clock::now() + means.options.timeout},
      responder_(task.responder),
      log_(task.request),
      may_be_stored_(task.request.is_sent_again) {}

Visit::Visit(const Task& task, Means& means, const Context& bulk, std::size_t line, bool is_success_told)
    : means_(means),
      context_{.request = task.request,
               .access = bulk.access,
               .deadline = bulk.deadline,
               .is_dry = bulk.is_dry,
               .is_success_told = is_success_told},
      responder_(task.responder),
      log_(task.request),
      is_line_(true) {
    log_.line = line;
    log_.api_key_id = bulk.access->id;
}

bool Visit::admit_line() {
    return attempt([this] {
        check_address_of_line();
        find_endpoint();
        check_query_of_line();
        check_transport();
    });
}

bool Visit::admit() {
    return attempt([this] {
        find_endpoint();
        check_transport();
        if (!endpoint().needs_token) return;
        authenticate();
        check_key_is_taken();
        take_turn();
        take_share();
    });
}

void Visit::find_endpoint() {
    Route route = Router(means_.endpoints).find(context_.request.method, context_.request.path);
    context_.segments = std::move(route.segments);
    log_.endpoint = route.endpoint;
    has_key_ = context_.request.idempotency_key && takes_idempotency_key(endpoint());
    sent_query_ = decode_query(context_.request.query);
    if (!is_line_) context_.is_dry = is_dry_run(endpoint(), sent_query_);
    log_.is_dry = context_.is_dry;
}

// What a bulk request may hold is what may be repeated and waits for nobody else's server.
void Visit::check_address_of_line() const {
    if (!is_address_of_line()) {
        refuse_address(
            "This must be the address of an import that may stand in a bulk request: one into an account but "
            "for payment instructions, or of market participants.");
    }
}

void Visit::check_query_of_line() const {
    if (names_dry_run(sent_query_)) {
        refuse_address(
            "dry_run cannot stand in a line: it goes on the address of the bulk request, for all its lines.");
    }
}

bool Visit::is_address_of_line() const {
    try {
        const Endpoint& found =
            *Router(means_.endpoints).find(context_.request.method, context_.request.path).endpoint;
        return found.body && (found.import || found.plan);
    } catch (const Problem&) {
        return false;
    }
}

// Step 1. What nginx lets through is checked again: the socket may have other clients.
void Visit::check_transport() const {
    const Request& request = context_.request;
    if (request.body.size() > endpoint().max_body_bytes) {
        throw Problem{Code::payload_too_large,
                      "The body is larger than " + std::to_string(endpoint().max_body_bytes) + " bytes."};
    }
    if (endpoint().takes_lines) {
        if (!is_ndjson(request.content_type)) refuse_type("application/x-ndjson");
        if (!is_as_it_is(request.content_encoding) && !is_gzip(request.content_encoding))
            refuse_coding("The Content-Encoding has to be gzip, or none.", "gzip, identity");
    } else if (endpoint().body) {
        if (!is_json(request.content_type)) refuse_type("application/json");
        if (!is_as_it_is(request.content_encoding))
            refuse_coding("The body has to be sent as it is: no Content-Encoding is taken here.", "identity");
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
    }
}

// Step 2.
void Visit::authenticate() {
    auth::Sender sender =
        means_.authenticator.authenticate(context_.request.authorization, means_.database, context_.deadline);
    context_.access = std::move(sender.access);
    context_.token_expires_at = sender.token_expires_at;
    log_.api_key_id = context_.access->id;
}

// Behind the token: only its owner is told how the service is used.
void Visit::check_key_is_taken() const {
    if (!context_.request.idempotency_key) return;
    if (endpoint().takes_lines) {
        throw Problem{Code::bad_request,
                      "A bulk request takes no Idempotency-Key: its lines may be repeated."};
    }
    if (context_.is_dry)
        throw Problem{Code::bad_request, "A dry run takes no Idempotency-Key: it stores nothing."};
}

// The longest bodies begin to be read one after the other, but for those whose length nginx did not know
// before: they have their turn now, and their sender has its answer when that comes.
void Visit::take_turn() {
    constexpr std::size_t long_enough = 4'000'000;
    constexpr std::chrono::milliseconds interval{500};
    if (context_.request.is_unsized && context_.request.body.size() >= long_enough)
        responder_.last_at_least(means_.recorder.take_turn(context_.access->organisation, interval));
}

// Before anything of the body is looked at: to refuse has to cost next to nothing.
void Visit::take_share() {
    auto slot = means_.recorder.take_slot(context_.access->organisation,
                                          work_of(context_.request, means_.options.shares_bytes));
    if (slot) {
        responder_.hold(std::move(*slot));
        return;
    }
    is_beyond_share_ = true;
    throw Problem{Code::throttled, std::string(codes::beyond_share)};
}

bool Visit::is_ready() {
    const auto now = steady_clock::now();
    if (now < next_try_) return false;
    metrics::Recorder::Slot* const slot = responder_.slot();
    return slot == nullptr || slot->begin_work(now - begun_at_ >= longest_turn);
}

// What waits leaves its part of the pool to the other requests of its organisation.
bool Visit::wait_for_account() {
    const auto now = steady_clock::now();
    if (!locked_since_) locked_since_ = now;
    const auto end = context_.is_dry
                         ? *locked_since_ + brief_wait
                         : context_.deadline - std::min(time_to_refuse, means_.options.timeout / 5);
    if (now >= end) return false;
    is_waiting_ = true;
    next_try_ =
        now + std::clamp<steady_clock::duration>((now - *locked_since_) / 4, shortest_pause, longest_pause);
    if (metrics::Recorder::Slot* const slot = responder_.slot()) slot->pause_work();
    return true;
}

// With an Idempotency-Key everything else is done under the key.
void Visit::prepare(std::optional<json::Document> body) {
    travel_ = Travel::nowhere;
    context_.document = std::move(body);
    attempt([this] {
        if (has_key_) {
            travel_ = Travel::once;
            return;
        }
        check();
        if (endpoint().run && !endpoint().waits) return execute(responder_);
        plan();
        const bool has_own_transaction = context_.is_dry && !is_line_;
        travel_ = import_ && import_->repeatable && !has_own_transaction ? Travel::together : Travel::alone;
    });
}

void Visit::check() {
    check_payload();
    check_supplier();
}

// Steps 3 and 4. The query stands before the body, so what is wrong with it is reported first.
void Visit::check_payload() {
    const schema::UnknownFields unknown_fields = means_.options.unknown_fields;
    if (endpoint().body && !endpoint().takes_lines && !context_.document)
        context_.document = read_body(context_.request);
    Query query = read_query(sent_query_, endpoint().query);
    if (is_line_ && adds_again(query.values)) {
        refuse_address(
            "check_previously_added=false cannot stand in a bulk request, which may have to be repeated.");
    }
    context_.query = std::move(query.values);
    context_.choices = std::move(query.choices);
    context_.numbers = std::move(query.numbers);
    context_.texts = std::move(query.texts);
    std::vector<schema::Violation> violations = std::move(query.violations);
    if (context_.document) {
        std::ranges::move(schema::check(*endpoint().body, context_.body(), unknown_fields),
                          std::back_inserter(violations));
    }
    if (violations.size() > schema::max_violations) violations.resize(schema::max_violations);
    if (!violations.empty()) throw validation_error(std::move(violations));
}

// Step 5. A scope holds existing suppliers only, so an unknown supplier and somebody else's fail alike, here.
void Visit::check_supplier() const {
    const auto& scope = context_.access;
    switch (endpoint().supplier) {
        case SupplierIn::nowhere:
            return;
        case SupplierIn::body:
            if (scope->import_suppliers.contains(context_.body().at("import_supplier").text())) return;
            throw Problem{Code::account_not_found};
        case SupplierIn::first_segment:
            if (scope->import_suppliers.contains(context_.segments.front())) return;
            throw Problem{Code::not_found, not_in_scope};
    }
}

void Visit::plan() {
    if (endpoint().import) import_.emplace(endpoint().import(context_));
    if (endpoint().plan) call_ = endpoint().plan(context_);
}

bool Visit::carry_out() {
    bool was_free = true;
    attempt([&] {
        try {
            if (has_key_) return execute_once();
            if (!context_.is_dry || is_line_) return execute(responder_);
            DryRunResponder told(responder_);
            execute(told);
        } catch (const AccountLocked&) {
            was_free = false;
        }
    });
    if (was_free) travel_ = Travel::nowhere;
    return was_free;
}

void Visit::execute(Responder& responder) {
    if (import_) {
        const store::Import* const alone = &*import_;
        const database::Call call = store::together({&alone, 1});
        const database::Rows rows = http::execute(context_, means_.database, call);
        if (store::is_held(rows)) throw AccountLocked();
        return reply(rows, responder);
    }
    if (endpoint().takes_lines) return carry_out_bulk(context_, means_, responder);
    if (!call_) {
        PacedResponder paced(
            responder, [this] { return has_company(); }, means_.options.most_rest);
        return endpoint().run(context_, means_.database, paced);
    }
    reply(execute_briefly(*call_), responder);
}

database::Rows Visit::execute_briefly(const database::Call& call) {
    try {
        return http::execute(context_, means_.database, call);
    } catch (const database::Refused& refused) {
        if (refused.sqlstate() == lock_not_available) throw AccountLocked();
        throw;
    }
}

void Visit::execute_once() {
    const auto claim = endpoint().run ? store::ClaimUntil::release : store::ClaimUntil::end_of_transaction;
    note_outcome_ = {};
    const Reply reply = means_.keyed_answers.answer(
        context_, endpoint(), [this] { return carry_out_under_key(); }, claim);
    if (note_outcome_) note_outcome_();
    responder_.send(reply);
}

// Kept is what stays true: a success, or that the payload itself is not valid. Other refusals may be mended
// by an operator, and nothing was stored with them.
CarriedOut Visit::carry_out_under_key() {
    try {
        check_payload();
    } catch (const Problem& problem) {
        note_outcome_ = [this, problem] { note_refusal(problem); };
        return {render(problem), std::nullopt, key_of_named_account()};
    }
    check_supplier();
    plan();
    HeldAnswer answer;
    execute(answer);
    const Reply counted{.status = answer.reply().status, .body = "", .differing = answer.reply().differing};
    note_outcome_ = [this, counted] { note_differing(counted); };
    if (endpoint().supplier != SupplierIn::body) return {answer.reply()};
    return {answer.reply(), std::string(context_.body().at("import_supplier").text()),
            key_of_named_account()};
}

std::optional<std::string> Visit::key_of_named_account() const {
    const auto account = named_account(log_.endpoint, context_);
    if (!account) return std::nullopt;
    return store::account_key(account->import_supplier, account->external_account_number);
}

bool Visit::answer(const database::Rows& rows) {
    bool was_free = true;
    attempt([&] {
        was_free = !store::is_held(rows);
        if (was_free) reply(rows, responder_);
    });
    if (was_free) travel_ = Travel::nowhere;
    return was_free;
}

void Visit::reply(const database::Rows& rows, Responder& responder) {
    means_.recorder.count_database_answer();
    const Reply reply = endpoint().reply(context_, rows);
    if (!has_key_) note_differing(reply);
    responder.send(reply);
}

void Visit::note_differing(const Reply& reply) {
    if (reply.differing == 0 || context_.is_dry) return;
    means_.refusals.note_differing(endpoint(), supplier_of_refusal(&endpoint(), context_), reply,
                                   context_.request.request_id);
}

void Visit::refuse(const Problem& problem) {
    attempt([&] { throw problem; });
}

/// Does a step. Whatever fails becomes an answer here; false when it did.
template <typename Step>
bool Visit::attempt(const Step& step) {
    bool succeeded = false;
    try {
        try {
            step();
            succeeded = true;
        } catch (const HeadSent&) {
            succeeded = true;
        } catch (const ClientGone&) {
            throw;
        } catch (...) {
            Failure failure = current_failure(context_.request.request_id);
            if (may_be_stored_) failure = in_doubt(std::move(failure), context_.request.request_id);
            log_.reason = failure.reason;
            if (failure.of_database) means_.recorder.count_database_failure(*failure.of_database);
            refuse(failure.problem, responder_);
        }
    } catch (const ClientGone&) {
        log_.reason = RequestLog::client_gone;
    } catch (const std::exception& failure) {
        log_.reason = failure.what();
    }
    if (!succeeded) travel_ = Travel::nowhere;
    log_.stop();
    return succeeded;
}

void Visit::refuse(const Problem& problem, Responder& responder) {
    note_refusal(problem);
    // an answer that has begun cannot become an error any more: the transport cuts it
    if (!responder.begun()) responder.send(render(problem));
}

void Visit::note_refusal(const Problem& problem) {
    const codes::Row& row = codes::row_of(problem.code);
    log_.code = row.name;
    const std::string_view import_supplier = supplier_of_refusal(log_.endpoint, context_);
    tell_refusal(import_supplier, problem);
    if (row.status < 500 && is_public() && !context_.is_dry) {
        means_.refusals.note(log_.endpoint, import_supplier, problem, context_.request.request_id);
        means_.refusals.keep(log_.endpoint, context_, problem, log_.line);
    }
}

void Visit::tell_refusal(std::string_view import_supplier, const Problem& problem) {
    log_.refusal = {.import_supplier = std::string(import_supplier)};
    if (auto account = shown_account(log_.endpoint, context_)) log_.refusal.account = std::move(*account);
    for (store::RefusedPlace& place : refused_places(log_.endpoint, problem, 1)) {
        log_.refusal.item_code = std::move(place.code);
        log_.refusal.attr = std::move(place.attr);
    }
}

// An endpoint may add to what its refusals say once the payload could be read. A 500 names the request.
Reply Visit::render(const Problem& problem) const {
    constexpr int internal_error = 500;
    const codes::Row& row = codes::row_of(problem.code);
    const std::string& request_id = context_.request.request_id;
    if (row.status == internal_error && problem.detail.find(request_id) == std::string::npos) {
        Problem named = problem;
        if (named.detail.empty()) named.detail = row.detail;
        named.detail += " Request " + request_id + ".";
        return http::render(named);
    }
    const bool extends = log_.endpoint != nullptr && endpoint().extend_refusal && context_.document &&
                         problem.code == Code::validation_error;
    if (!extends) return http::render(problem);
    return http::render(problem,
                        [&](json::Writer& writer) { endpoint().extend_refusal(writer, context_, problem); });
}

bool Visit::drop_abandoned() {
    if (!responder_.is_abandoned()) return false;
    means_.recorder.count_abandoned();
    log_.reason = RequestLog::client_gone;
    log_.stop();
    travel_ = Travel::nowhere;
    return true;
}

bool Visit::has_company() const {
    return context_.access && !means_.recorder.is_alone(context_.access->organisation);
}

bool Visit::is_public() const {
    return log_.endpoint == nullptr || endpoint().is_public;
}

// Refusals for the sake of others come by the thousand: they are logged together.
void Visit::report() {
    const int status = responder_.status();
    if (is_beyond_share_) {
        ++means_.beyond_share[context_.access->id];
    } else {
        log_.write(status, means_.options.log_requests && !is_line_ && is_public());
    }
    metrics::RequestFigures figures{.status = status,
                                    .took = log_.took,
                                    .received_bytes = context_.request.body.size(),
                                    .sent_bytes = responder_.bytes()};
    if (log_.endpoint != nullptr) {
        figures.endpoint = static_cast<std::size_t>(log_.endpoint - means_.endpoints.data());
        if (!context_.is_dry) means_.recorder.count_items(*figures.endpoint, responder_.stored());
    }
    means_.recorder.count_request(figures);
}

}  // namespace data_import::http
