#include "client/inquiry.h"

#include <random>
#include <stdexcept>

#include "client/answer.h"
#include "client/retry.h"
#include "client/summary.h"
#include "net/transport.h"

namespace data_import::client {

namespace {

std::string reason_of(const Attempt& attempt, const Answer& answer) {
    if (attempt.failure == Failure::certificate) return certificate_problem(attempt);
    if (attempt.failure == Failure::proxy) return attempt.problem;
    if (attempt.failure == Failure::no_token) return "there is no token: " + attempt.problem;
    if (attempt.failure != Failure::none) return "the service does not answer: " + attempt.problem;
    std::string reason = "the service answers " + std::to_string(attempt.status);
    if (!answer.code.empty()) reason += " " + answer.code + ": " + answer.detail;
    for (const ErrorItem& error : answer.errors) reason += " " + error.attr + ": " + error.detail;
    return reason;
}

}  // namespace

Inquiry::Inquiry(const Options& options, Stop& stop)
    : options_(options),
      stop_(stop),
      access_(options.api_key_file),
      context_(options.target.secure ? net::make_context(options.ca_file) : nullptr),
      session_(options.target, context_, options.timeout, watchdog_) {}

std::string Inquiry::ask(const Question& question) {
    for (unsigned repeats = 0;; ++repeats) {
        Attempt attempt = access_.send(session_, question);
        const Answer answer = read_answer(attempt.body).value_or(Answer());
        const Decision decision = judge(attempt, answer.code, false);
        if (decision == Decision::accepted) return std::move(attempt.body);
        const bool may_repeat = decision == Decision::repeat && !attempt.begun && repeats < options_.retries;
        if (!may_repeat || !wait(repeats + 1, attempt))
            throw std::runtime_error(printable(reason_of(attempt, answer)));
    }
}

/// False when the stop came first.
bool Inquiry::wait(unsigned repeat, const Attempt& attempt) {
    std::random_device random;
    const double chance = std::uniform_real_distribution<>(0, 1)(random);
    return stop_.wait(backoff.delay(repeat, attempt.retry_after, chance));
}

}  // namespace data_import::client
