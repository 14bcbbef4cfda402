#include "client/session.h"

#include <utility>

#include "util/version.h"

namespace data_import::client {

namespace {

constexpr std::size_t max_answer_bytes = std::size_t{64} << 20;

Failure meaning_of(net::Failure failure) {
    switch (failure) {
        case net::Failure::none:
            return Failure::none;
        case net::Failure::timed_out:
            return Failure::time_out;
        case net::Failure::untrusted:
        case net::Failure::unknown_authority:
            return Failure::certificate;
        case net::Failure::proxy_denied:
            return Failure::proxy;
        default:
            return Failure::connection;
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

}  // namespace

std::string certificate_problem(const Attempt& attempt) {
    return "the service's certificate is not accepted: " + attempt.problem;
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
    if (question.content == Content::packed_lines) {
        request.headers.emplace_back("Content-Type", "application/x-ndjson");
        request.headers.emplace_back("Content-Encoding", "gzip");
        request.headers.emplace_back("Accept", "application/x-ndjson, application/json");
    }
    if (!question.key.empty()) request.headers.emplace_back("Idempotency-Key", '"' + question.key + '"');
    if (!token.empty()) request.headers.emplace_back("Authorization", "Token " + token);
    net::Exchange exchange = connection_.send(request, std::chrono::steady_clock::now() + timeout_);
    if (exchange.failure == net::Failure::unknown_authority)
        exchange.reason += "; --ca-file names the authority to trust";
    if (exchange.failure == net::Failure::timed_out)
        exchange.reason = "no answer within " + std::to_string(timeout_.count()) + " s" + way_;
    return {.failure = meaning_of(exchange.failure),
            .sent = exchange.sent,
            .problem = std::move(exchange.reason),
            .status = exchange.status,
            .body = std::move(exchange.body),
            .retry_after = exchange.retry_after,
            .request_id = std::move(exchange.request_id),
            .begun = exchange.begun};
}

}  // namespace data_import::client
