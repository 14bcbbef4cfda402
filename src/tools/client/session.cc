#include "tools/client/session.h"

#include <random>
#include <utility>

#include "base/codes/codes.h"
#include "base/util/version.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_answer_bytes = std::size_t{64} << 20;

AttemptFailure meaning_of(net::ExchangeFailure failure) {
    switch (failure) {
        case net::ExchangeFailure::none:
            return AttemptFailure::none;
        case net::ExchangeFailure::timed_out:
            return AttemptFailure::time_out;
        case net::ExchangeFailure::untrusted:
        case net::ExchangeFailure::unknown_authority:
            return AttemptFailure::certificate;
        case net::ExchangeFailure::proxy_denied:
            return AttemptFailure::proxy;
        default:
            return AttemptFailure::connection;
    }
}

net::Peer peer_of(const Target& target, Poco::Net::Context::Ptr context) {
    net::Peer peer{.server = target.server, .context = std::move(context), .proxy = std::nullopt};
    if (target.proxy) {
        peer.proxy = target.proxy->server;
        peer.proxy_authorization = target.proxy->authorization;
    }
    return peer;
}

/// Returns whether all further requests would fail for the same reason.
bool is_common(AttemptFailure failure) {
    return failure == AttemptFailure::certificate || failure == AttemptFailure::proxy ||
           failure == AttemptFailure::no_token;
}

/// Returns whether a proxy on the way refuses this particular request. 401 and 407 do not say so: they ask
/// for a password, and every request would get them.
bool is_refused_on_the_way(int status) {
    return status >= 400 && status < 500 && status != 401 && status != 407;
}

}  // namespace

std::string failure_text(const Attempt& attempt) {
    switch (attempt.failure) {
        case AttemptFailure::certificate:
            return "the service's certificate is not accepted: " + attempt.problem;
        case AttemptFailure::proxy:
            return attempt.problem;
        case AttemptFailure::no_token:
            return "there is no token: " + attempt.problem;
        default:
            return "the service does not answer: " + attempt.problem;
    }
}

Session::Session(const Target& target, Poco::Net::Context::Ptr context, std::chrono::seconds timeout,
                 net::Watchdog& watchdog)
    : prefix_(target.prefix),
      way_(target.proxy ? " through the proxy " + net::authority_of(target.proxy->server) : ""),
      timeout_(timeout),
      connection_(peer_of(target, std::move(context)), {timeout, max_answer_bytes}, watchdog, resolver_) {}

Attempt Session::send(const Question& question, const std::string& token) {
    net::Request request{.method = question.method,
                         .target = prefix_ + question.path,
                         .headers = {},
                         .body = question.body,
                         .receive = question.receive};
    request.headers.emplace_back("User-Agent", std::string(program) + "/" + util::version);
    if (question.has_packed_lines) {
        request.headers.emplace_back("Content-Type", "application/x-ndjson");
        request.headers.emplace_back("Content-Encoding", "gzip");
        request.headers.emplace_back("Accept", "application/x-ndjson, application/json");
    }
    if (!question.key.empty()) request.headers.emplace_back("Idempotency-Key", '"' + question.key + '"');
    if (!token.empty()) request.headers.emplace_back("Authorization", "Token " + token);
    net::Exchange exchange = connection_.send(request, std::chrono::steady_clock::now() + timeout_);
    if (exchange.failure == net::ExchangeFailure::unknown_authority)
        exchange.reason += "; use --ca-file for the authority to trust";
    if (exchange.failure == net::ExchangeFailure::timed_out)
        exchange.reason = "no answer within " + std::to_string(timeout_.count()) + " s" + way_;
    return {.failure = meaning_of(exchange.failure),
            .sent = exchange.sent,
            .problem = std::move(exchange.reason),
            .status = exchange.status,
            .body = std::move(exchange.body),
            .retry_after = exchange.retry_after,
            .request_id = std::move(exchange.request_id),
            .begun = exchange.begun,
            .content_type = std::move(exchange.content_type),
            .coding = std::move(exchange.coding),
            .location = std::move(exchange.location),
            .server = std::move(exchange.server)};
}

Decision judge(const Attempt& attempt, std::string_view code, bool has_key) {
    if (attempt.failure == AttemptFailure::broken && is_refused_on_the_way(attempt.status))
        return Decision::retry_smaller;
    if (attempt.failure != AttemptFailure::none)
        return is_common(attempt.failure) ? Decision::stop : Decision::retry;
    if (is_passing(attempt.status)) return Decision::retry;
    switch (attempt.status) {
        case 401:
            return Decision::stop;
        case 409:
            return code == codes::name_of(Code::request_in_progress) ? Decision::retry : Decision::refused;
        case 500:  // the outcome may be unknown; with an Idempotency-Key, a retry tells the outcome
            return has_key || code == codes::name_of(Code::vendor_intermittent) ? Decision::retry
                                                                                : Decision::retry_briefly;
        default:
            return attempt.status >= 200 && attempt.status < 300 ? Decision::accepted : Decision::refused;
    }
}

bool is_passing(int status) {
    return status == 408 || status == 429 || (status >= 502 && status <= 504);
}

bool may_have_stored(const Attempt& attempt) {
    if (!attempt.sent || attempt.failure != AttemptFailure::none) return attempt.sent;
    return attempt.status == 500 || attempt.status == 502 || attempt.status == 503 || attempt.status == 504;
}

bool wait_before(unsigned retry, std::optional<std::chrono::seconds> retry_after, const Stop& stop) {
    thread_local std::minstd_rand random{std::random_device{}()};
    const double chance = std::uniform_real_distribution<>(0, 1)(random);
    return stop.wait(backoff.delay(retry, retry_after, chance));
}

}  // namespace data_import::client
