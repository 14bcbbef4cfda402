#include "tools/client/delivery.h"

#include <algorithm>
#include <utility>

#include "base/codes/codes.h"
#include "data/payload/declarations.h"
#include "tools/client/stranger.h"

namespace data_import::client {

namespace {

const std::string dry_run = "dry_run=true";
constexpr unsigned most_brief_retries = 2;
constexpr int payload_too_large = 413;

unsigned most_retries(Decision decision, unsigned retries) {
    if (decision == Decision::retry) return retries;
    const bool is_brief = decision == Decision::retry_briefly || decision == Decision::retry_smaller;
    return is_brief ? std::min(retries, most_brief_retries) : 0;
}

const char* code_of(AttemptFailure failure) {
    switch (failure) {
        case AttemptFailure::time_out:
            return "time_out";
        case AttemptFailure::none:  // there is an answer, but not from the service
        case AttemptFailure::broken:
            return "broken_answer";
        case AttemptFailure::certificate:
            return "certificate_not_trusted";
        case AttemptFailure::proxy:
            return "proxy_denied";
        case AttemptFailure::no_token:
            return "no_token";
        default:
            return "connection_failed";
    }
}

std::optional<ImportAnswer> answer_to(const Attempt& attempt) {
    if (attempt.failure != AttemptFailure::none) return std::nullopt;
    const bool is_good = attempt.status >= 200 && attempt.status < 300;
    if (!is_good || attempt.body.size() <= longest_read) return read_answer(attempt.body);
    return skim_answer(attempt.body);
}

/// Returns whether this refusal leaves open whether an earlier attempt with the same key was carried out. The
/// service may have refused before it looked the key up, or may no longer give out its kept answer.
bool tells_nothing_of_earlier(const Outcome& outcome) {
    return outcome.status == 403 || outcome.status == 404;
}

Outcome describe(const Attempt& attempt, std::optional<ImportAnswer> answer) {
    Outcome outcome;
    outcome.status = attempt.status;
    outcome.request_id = attempt.request_id;
    if (!attempt.problem.empty()) {
        outcome.code = code_of(attempt.failure);
        outcome.detail = attempt.problem;
    } else if (answer) {
        outcome.code = answer->code;
        outcome.detail = answer->detail;
        outcome.answer = std::move(*answer);
    }
    outcome.detail = with_wait(std::move(outcome.detail), attempt.retry_after);
    return outcome;
}

Load load_of(const Attempt& attempt) {
    if (attempt.failure == AttemptFailure::no_token || attempt.failure == AttemptFailure::certificate ||
        attempt.failure == AttemptFailure::proxy)
        return Load::good;
    if (attempt.failure != AttemptFailure::none) return Load::stalled;
    if (attempt.status == 429 || attempt.status == 503) return Load::throttled;
    return attempt.status == 408 || attempt.status == 502 || attempt.status == 504 ? Load::stalled
                                                                                   : Load::good;
}

/// Returns why the run is stopped, as a sentence. All further requests would fail for the same reason.
std::string reason_to_stop(const Attempt& attempt, const Outcome& outcome) {
    if (attempt.failure != AttemptFailure::none) return failure_text(attempt);
    return "the service does not accept the token that it gave out (" +
           (outcome.code.empty() ? "401" : outcome.code) +
           "): the API key has been revoked, or the service has lost its signing key";
}

void mark_unknown(Outcome& outcome) {
    outcome.fate = Fate::unknown;
    outcome.code = "outcome_unknown";
    outcome.detail = "not sent again, because it may have been executed (" + outcome.detail + ")";
}

Outcome forgotten() {
    Outcome outcome = unasked(
        Fate::unknown, "", "it was sent more than a day ago, and the service keeps its key only for a day");
    outcome.idempotent = false;
    mark_unknown(outcome);
    return outcome;
}

/// Returns the outcome of a line that is not sent, because an earlier line of its account was not delivered.
Outcome not_sent(const Job& job) {
    Outcome outcome = unasked(Fate::undelivered, "not_sent",
                              "not sent, because an earlier request for its account was not delivered");
    outcome.idempotent = job.key.empty();
    return outcome;
}

Fate fate_of(Decision decision, bool stopping) {
    switch (decision) {
        case Decision::accepted:
            return Fate::accepted;
        case Decision::refused:
            return Fate::refused;
        case Decision::stop:
            return Fate::stopped;
        case Decision::retry_briefly:
            return stopping ? Fate::stopped : Fate::refused;
        default:
            return stopping ? Fate::stopped : Fate::undelivered;
    }
}

}  // namespace

Outcome unasked(Fate fate, std::string_view code, std::string detail) {
    Outcome outcome;
    outcome.fate = fate;
    outcome.code = code;
    outcome.detail = std::move(detail);
    outcome.asked = false;
    return outcome;
}

Outcome malformed(const InputLine& line, const std::string& reason) {
    return unasked(Fate::malformed, "malformed_line",
                   line.is_cut && !line.too_long
                       ? reason + "; the line has no line end: is the file complete?"
                       : reason);
}

Delivery::Delivery(Session& session, Access& access, Pace& pace, Stop& stop, LeftAccounts& left,
                   DeliveryOptions options)
    : session_(session),
      access_(access),
      pace_(pace),
      stop_(stop),
      left_(left),
      options_(std::move(options)),
      began_(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())) {}

void Delivery::deliver(const Bundle& bundle, const Settle& settle) {
    if (bundle.front()->fits_bulk) return deliver_lines(bundle, settle);
    for (const auto& job : bundle) settle({{job.get(), deliver(*job)}});
}

Outcome Delivery::deliver(const Job& job) {
    if (left_.contains(job.account)) return not_sent(job);
    Outcome outcome = send_until_settled(job);
    const bool is_left = outcome.fate == Fate::undelivered || outcome.fate == Fate::unknown;
    if (is_left && outcome.asked) left_.add(job.account);
    return outcome;
}

Outcome Delivery::send_until_settled(const Job& job) {
    const bool has_key = !job.key.empty();
    std::string path = job.request.path;
    if (options_.dry_run) path += std::string(path.find('?') == std::string::npos ? "?" : "&") + dry_run;
    // The service keeps a key for 24 hours. The last hour is left for the last attempt.
    constexpr std::chrono::hours kept{23};
    const auto begun = has_key ? options_.begin(job.line) : std::chrono::sys_seconds();
    const auto end_of_key = begun + kept;
    bool may_be_stored = has_key && begun < began_;  // an earlier run has sent it
    for (unsigned retries = 0;; ++retries) {
        if (has_key && std::chrono::system_clock::now() >= end_of_key) return forgotten();
        Attempt attempt = send({.path = path, .body = job.request.body, .key = job.key}, 1);
        auto [outcome, decision] = judged(attempt, has_key);
        may_be_stored = may_be_stored || (has_key && may_have_stored(attempt));
        if (retries < most_retries(decision, options_.retries) &&
            wait_to_retry(retries + 1, attempt.retry_after))
            continue;
        outcome.fate = fate_of(decision, stop_.requested());
        outcome.idempotent = !has_key;
        outcome.may_be_stored = may_be_stored;
        if (may_be_stored && decision == Decision::refused && tells_nothing_of_earlier(outcome))
            mark_unknown(outcome);
        settle_open(outcome);
        return outcome;
    }
}

/// Marks a line as Fate::unknown if no answer has settled it, it may be stored, and no later run can send it
/// with the same Idempotency-Key, because this run keeps no journal.
void Delivery::settle_open(Outcome& outcome) const {
    const bool is_open = outcome.fate == Fate::undelivered || outcome.fate == Fate::stopped;
    if (is_open && outcome.may_be_stored && !options_.keeps_journal) mark_unknown(outcome);
}

/// Delivers lines in bulk requests of the size that suits the service at present. A bulk request without an
/// answer is sent again in smaller ones, so that a line that breaks the service is alone in the end.
void Delivery::deliver_lines(const Bundle& bundle, const Settle& settle) {
    Jobs pending;
    for (const auto& job : bundle) pending.push_back(job.get());
    unsigned failures = 0;
    std::size_t most = pending.size();
    for (pass_over_left(pending, settle); !pending.empty(); pass_over_left(pending, settle)) {
        const auto end =
            pending.begin() + static_cast<std::ptrdiff_t>(std::min({pending.size(), pace_.lines(), most}));
        const Jobs piece(pending.begin(), end);
        pending.erase(pending.begin(), end);
        Sent sent = send_lines(piece, settle);
        most = sent.is_too_much ? piece.size() / 2 : std::min(most * 2, bundle.size());
        if (sent.again.size() < piece.size()) failures = 0;
        if (sent.again.empty()) continue;
        if (sent.is_too_much ||
            (failures++ < options_.retries && wait_to_retry(failures, sent.retry_after))) {
            Jobs jobs;
            for (const auto& [job, outcome] : sent.again) jobs.push_back(job);
            pending.insert(pending.begin(), jobs.begin(), jobs.end());
            continue;
        }
        for (auto& [job, outcome] : sent.again) {
            outcome.fate = stop_.requested() ? Fate::stopped : Fate::undelivered;
            if (outcome.fate == Fate::undelivered) left_.add(job->account);
        }
        failures = 0;
        settle(std::move(sent.again));
    }
}

void Delivery::pass_over_left(Jobs& pending, const Settle& settle) const {
    Settled left;
    std::erase_if(pending, [&](const Job* job) {
        const bool is_behind = left_.contains(job->account);
        if (is_behind) left.emplace_back(job, not_sent(*job));
        return is_behind;
    });
    if (!left.empty()) settle(std::move(left));
}

/// Sends the lines as one bulk request, and settles those that its answer settles.
Delivery::Sent Delivery::send_lines(const Jobs& jobs, const Settle& settle) {
    const std::string path = bulk_path(jobs) + (options_.dry_run ? std::string("&") + dry_run : "");
    const std::string lines = pack_lines(jobs);
    if (jobs.size() > 1 && lines.size() > pace_.bytes()) return too_much(jobs, Outcome());
    Attempt attempt = send({.path = path, .body = lines, .has_packed_lines = true}, jobs.size());
    if (attempt.failure == AttemptFailure::none && (attempt.status == 200 || attempt.status == 207)) {
        if (auto answers = read_line_answers(attempt.body, jobs.size())) {
            pace_.note_size(true, lines.size());
            return {settle_lines(jobs, std::move(*answers), attempt, settle), attempt.retry_after};
        }
        attempt.failure = AttemptFailure::broken;
        attempt.problem = attempt.content_type.starts_with("application/x-ndjson") && attempt.coding.empty()
                              ? "status " + std::to_string(attempt.status) +
                                    " without an answer to each request: is --url the address of a "
                                    "data-import service?"
                              : told_of_stranger(attempt);
    }
    const auto [outcome, decision] = judged(attempt, false);
    if (jobs.size() > 1 && (decision == Decision::retry_smaller || attempt.status == payload_too_large)) {
        pace_.note_size(false, lines.size());
        options_.on_retry();
        return too_much(jobs, outcome);
    }
    Settled again;
    for (const Job* const job : jobs) {
        // Without a reason to retry or to stop, the lines are sent one by one: the service may refuse all
        // bulk requests, or one of the lines may cause the error.
        if (decision == Decision::retry || decision == Decision::stop)
            again.emplace_back(job, outcome);
        else
            settle({{job, deliver(*job)}});
    }
    return {std::move(again), attempt.retry_after};
}

Delivery::Sent Delivery::too_much(const Jobs& jobs, const Outcome& outcome) {
    Settled again;
    for (const Job* const job : jobs) again.emplace_back(job, outcome);
    return {std::move(again), std::nullopt, true};
}

/// Settles the lines of an answered bulk request. Returns the lines that have to be sent again, in their
/// order, with the outcome that says why.
Delivery::Settled Delivery::settle_lines(const Jobs& sent, LineAnswers answers, const Attempt& attempt,
                                         const Settle& settle) {
    Settled again;
    Settled settled;
    Jobs failed;  // lines with status 500: each of them is delivered by itself
    for (std::size_t place = 0; place < sent.size(); ++place) {
        Attempt alone;
        alone.status = 201;
        alone.request_id = attempt.request_id;
        std::optional<ImportAnswer> answer;
        if (const auto found = answers.find(place); found != answers.end()) {
            alone.status = found->second.status;
            answer = std::move(found->second.answer);
        }
        Outcome outcome = describe(alone, std::move(answer));
        const Decision decision = decide(alone, outcome, false);
        // The line is not settled, and is kept to be sent again. Decision::stop has one of two causes here.
        // If the line's status is 401, the token has expired meanwhile. The next request is then sent with a
        // new token, and the run stops if the service refuses that token, too. Otherwise decide() has stopped
        // the run, because the supplier is paused or complete.
        if (decision == Decision::retry || decision == Decision::stop) {
            again.emplace_back(sent[place], std::move(outcome));
            continue;
        }
        if (decision == Decision::retry_briefly) {
            failed.push_back(sent[place]);
            continue;
        }
        outcome.fate = fate_of(decision, false);
        settled.emplace_back(sent[place], std::move(outcome));
    }
    if (!settled.empty()) settle(std::move(settled));
    for (const Job* const job : failed) settle({{job, deliver(*job)}});
    return again;
}

Attempt Delivery::send(const Question& question, std::size_t lines) {
    if (!pace_.enter(lines, stop_.token())) {
        Attempt attempt;
        attempt.failure = AttemptFailure::connection;
        attempt.problem = "not sent";
        return attempt;
    }
    const auto begin = Pace::Clock::now();
    Attempt attempt = access_.send(session_, question);
    pace_.leave(load_of(attempt), lines, Pace::Clock::now() - begin, attempt.retry_after);
    return attempt;
}

/// Waits before a retry. Returns false if the run is stopped first.
bool Delivery::wait_to_retry(unsigned retry, std::optional<std::chrono::seconds> retry_after) const {
    if (!wait_before(retry, retry_after, stop_)) return false;
    options_.on_retry();
    return true;
}

/// Returns the outcome of an attempt to send a request, and the decision whether the request is accepted,
/// refused or retried. `has_key` is true if the request was sent with an Idempotency-Key. Stops the run if
/// all further requests would fail for the same reason.
std::pair<Outcome, Decision> Delivery::judged(Attempt& attempt, bool has_key) {
    std::optional<ImportAnswer> answer = answer_to(attempt);
    distrust_stranger(attempt, answer);
    Outcome outcome = describe(attempt, std::move(answer));
    const Decision decision = decide(attempt, outcome, has_key);
    if (decision == Decision::stop) stop_.request(reason_to_stop(attempt, outcome), false);
    return {std::move(outcome), decision};
}

/// Decides what follows an attempt. Stops the run if the migration of the supplier is paused or complete,
/// because the service then refuses every line.
Decision Delivery::decide(const Attempt& attempt, const Outcome& outcome, bool has_key) {
    for (const ErrorItem& error : outcome.answer.errors) {
        if (error.code != codes::name_of(Code::import_supplier_migration_not_ongoing)) continue;
        const bool is_over = error.detail == payload::supplier_is_complete;
        stop_.request(
            is_over ? "the operator has completed the migration of the import supplier: ask the operator "
                      "of the platform if something is still missing"
                    : "the operator has paused the migration; once it goes on, so does the same command",
            !is_over);
        return Decision::stop;
    }
    return judge(attempt, outcome.code, has_key);
}

}  // namespace data_import::client
