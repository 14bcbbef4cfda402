// Sends requests to the service, and decides which of them are retried.
#pragma once

#include <Poco/Net/Context.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/net/connection.h"
#include "base/util/backoff.h"
#include "tools/client/options.h"
#include "tools/client/stop.h"

namespace data_import::client {

/// The reason why a request has got no answer of the service.
enum class AttemptFailure {
    none,         ///< no failure, because an answer has come
    connection,   ///< the connection failed, or was lost
    time_out,     ///< the deadline has passed
    broken,       ///< there is an answer, but not from the service
    certificate,  ///< the service's certificate was not accepted
    proxy,        ///< the proxy wants a user and a password, or refuses the given ones
    no_token,     ///< the request was not sent, because there is no token for it
};

/// The result of one attempt.
struct Attempt {
    AttemptFailure failure = AttemptFailure::none;
    bool sent = false;    ///< the request was sent, so the service may have read it
    std::string problem;  ///< why there is no answer of the service, in one line
    int status = 0;       ///< status of the answer; 0 without one
    std::string body;
    std::optional<std::chrono::seconds> retry_after;
    std::string request_id = {};  ///< id of the request, as the answer names it
    bool begun = false;           ///< Question::receive has got a part of the body
    std::string content_type = {};
    std::string coding = {};    ///< Content-Encoding of a body that is left packed; empty: the body is plain
    std::string location = {};  ///< the address that a redirect leads to
    std::string server = {};    ///< the name that the answering program gives itself
};

/// Says why there is no answer, for people.
[[nodiscard]] std::string failure_text(const Attempt& attempt);

struct Question {
    std::string path;  ///< path with its query
    std::string_view body = {};
    bool has_packed_lines = false;  ///< the body is a packed bulk request, and not JSON
    std::string method = "POST";
    /// If set, takes the body of a 200 answer piece by piece; Attempt::body stays empty. The time-out begins
    /// anew for each piece.
    std::function<void(std::string_view)> receive = {};
    std::string key = {};  ///< Idempotency-Key of the request; empty: none
};

/// A connection to the service. For one thread.
class Session {
public:
    /// `context` is null for a target without TLS. `watchdog` has to outlive this object.
    Session(const Target& target, Poco::Net::Context::Ptr context, std::chrono::seconds timeout,
            net::Watchdog& watchdog);

    /// Sends one request, and returns its answer or failure. The constructor's `timeout` is the limit for
    /// connecting, sending and the answer together. If `token` is empty, sends no header Authorization.
    /// Passes on exceptions of `question.receive`, and throws no others than those of the standard library.
    [[nodiscard]] Attempt send(const Question& question, const std::string& token);

private:
    std::string prefix_;
    std::string way_;  ///< ` through the proxy HOST:PORT`, for errors; empty without a proxy
    std::chrono::seconds timeout_;
    net::Resolver resolver_;
    net::Connection connection_;
};

enum class Decision {
    accepted,
    refused,  ///< the request is refused: a retry would get the same answer
    retry,
    retry_briefly,  ///< the request itself may be the cause of the failure, so it is retried only a few times
    retry_smaller,  ///< a proxy on the way refuses this request, and may let a smaller one pass
    stop,           ///< all further requests would fail for the same reason
};

/// Returns what to do after an attempt to send a request. `code` is the code of the answer's error. `has_key`
/// is true if the request was sent with an Idempotency-Key, so that a retry learns the outcome. A request
/// without a key has to be one that can be carried out several times without harm.
[[nodiscard]] Decision judge(const Attempt& attempt, std::string_view code, bool has_key);

/// Returns whether this status of an answer, from the service or from a proxy, asks for a retry.
[[nodiscard]] bool is_passing(int status);

/// Returns whether the service may have carried out the request of this attempt, although no answer says so.
/// The attempt has to be one of a request with an Idempotency-Key.
[[nodiscard]] bool may_have_stored(const Attempt& attempt);

/// The pause before a retry: it grows from 250 ms to 30 s. If the service has asked for a longer pause, it
/// lasts at least that long, but no more than five minutes.
inline constexpr util::Backoff backoff{.first = std::chrono::milliseconds(250),
                                       .longest = std::chrono::seconds(30),
                                       .longest_asked = std::chrono::minutes(5),
                                       .spreads_asked = true};

/// Waits before a retry. `retry` is the number of the retry, from 1. Returns false if the stop came first.
[[nodiscard]] bool wait_before(unsigned retry, std::optional<std::chrono::seconds> retry_after,
                               const Stop& stop);

}  // namespace data_import::client
