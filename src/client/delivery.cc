#include "client/delivery.h"

#include <condition_variable>
#include <mutex>
#include <utility>

namespace data_import::client {

namespace {

const char* code_of(Failure failure) {
    switch (failure) {
        case Failure::time_out:
            return "time_out";
        case Failure::broken:
            return "broken_answer";
        case Failure::certificate:
            return "certificate_not_trusted";
        case Failure::no_token:
            return "no_token";
        default:
            return "connection_failed";
    }
}

/// Something else than the service, a proxy or a captive portal, must not be believed that data has been
/// imported.
void distrust_success_without_json(Attempt& attempt, const std::optional<Answer>& answer) {
    if (attempt.failure != Failure::none || answer || attempt.status < 200 || attempt.status > 299) return;
    attempt.failure = Failure::broken;
    attempt.problem =
        "status " + std::to_string(attempt.status) + " without JSON, which is no answer of the service";
}

Outcome describe(const Attempt& attempt, std::optional<Answer> answer) {
    Outcome outcome;
    outcome.status = attempt.status;
    if (attempt.failure != Failure::none) {
        outcome.code = code_of(attempt.failure);
        outcome.error.detail = attempt.problem;
    } else if (answer) {
        outcome.code = answer->code;
        outcome.error = answer->first_error.value_or(ErrorItem{"", "", answer->detail});
        outcome.answer = std::move(*answer);
    }
    return outcome;
}

void mark_unknown(Outcome& outcome) {
    outcome.code = "outcome_unknown";
    outcome.error.detail = "not repeated, since it may have been carried out (" + outcome.error.detail + ")";
}

Fate fate_of(Decision decision, bool stopping) {
    switch (decision) {
        case Decision::accepted:
            return Fate::accepted;
        case Decision::refused:
            return Fate::refused;
        case Decision::stop:
            return Fate::stopped;
        default:
            return stopping ? Fate::stopped : Fate::undelivered;
    }
}

}  // namespace

Outcome malformed(const std::string& reason) {
    Outcome outcome;
    outcome.fate = Fate::malformed;
    outcome.code = "malformed_line";
    outcome.error.detail = reason;
    return outcome;
}

Delivery::Delivery(Session& session, Access& access, unsigned retries, Stop& stop)
    : session_(session), access_(access), retries_(retries), stop_(stop) {}

Outcome Delivery::deliver(const ImportRequest& request) {
    const bool idempotent = request.is_idempotent();
    for (unsigned repeats = 0;; ++repeats) {
        Attempt attempt = access_.post(session_, request.path, request.body);
        std::optional<Answer> answer =
            attempt.failure == Failure::none ? read_answer(attempt.body) : std::nullopt;
        distrust_success_without_json(attempt, answer);
        Outcome outcome = describe(attempt, std::move(answer));
        const Decision decision = judge(attempt, outcome.code, idempotent);
        if (decision == Decision::repeat && repeats < retries_) {
            const double chance = std::uniform_real_distribution<>(0, 1)(random_);
            if (wait(delay_before(repeats + 1, attempt.retry_after, chance))) continue;
        }
        if (decision == Decision::stop) stop_for(attempt, outcome);
        if (decision == Decision::undelivered) mark_unknown(outcome);
        outcome.fate = fate_of(decision, decision == Decision::repeat && stop_.requested());
        outcome.repeats = repeats;
        outcome.idempotent = idempotent;
        return outcome;
    }
}

/// False when the stop came first.
bool Delivery::wait(std::chrono::milliseconds time) const {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop_.token(), time, [] { return false; });
    return !stop_.requested();
}

void Delivery::stop_for(const Attempt& attempt, const Outcome& outcome) {
    if (attempt.failure == Failure::certificate) {
        stop_.request("the service's certificate is not trusted (" + attempt.problem +
                      "); --ca-file names the authority to trust, and the name in --url has to be that of "
                      "the certificate");
    } else if (attempt.failure == Failure::no_token) {
        stop_.request("there is no token: " + attempt.problem);
    } else {
        stop_.request("the service does not accept the token that it gave out (" +
                      (outcome.code.empty() ? "401" : outcome.code) +
                      "): the API key has been revoked, or the service has lost its signing key");
    }
}

}  // namespace data_import::client
