// Requests to the service.
#pragma once

#include <Poco/Net/Context.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "client/options.h"
#include "net/connection.h"

namespace data_import::client {

/// Why a request has got no answer.
enum class Failure {
    none,         ///< it has got one
    connection,   ///< no connection, or lost
    time_out,     ///< the deadline has passed
    broken,       ///< the answer is not the service's
    certificate,  ///< the service's certificate was not accepted
    proxy,        ///< the proxy wants a user and a password, or others
    no_token,     ///< it was not sent: the service gives out no token for it
};

/// The result of one attempt.
struct Attempt {
    Failure failure = Failure::none;
    bool sent = false;    ///< the service may have read the request
    std::string problem;  ///< why there is no answer, in one line
    int status = 0;       ///< status of the answer; 0 without one
    std::string body;
    std::optional<std::chrono::seconds> retry_after;
    std::string request_id = {};  ///< that the answer gives
    bool begun = false;           ///< some of the answer was passed on
};

/// The problem behind Failure::certificate, for people.
[[nodiscard]] std::string certificate_problem(const Attempt& attempt);

/// The form of a body.
enum class Content { json, packed_lines };

/// One request.
struct Question {
    std::string path;  ///< with its query
    std::string_view body = {};
    Content content = Content::json;
    std::string method = "POST";
    /// As in net::Request: takes the body of a 200 answer in pieces, each of which has the time-out.
    std::function<void(std::string_view)> receive = {};
    std::string key = {};  ///< Idempotency-Key; empty: none
};

/// A connection of its own. For one thread.
class Session {
public:
    /// `context` is null for a target without TLS. `watchdog` has to live longer.
    Session(const Target& target, Poco::Net::Context::Ptr context, std::chrono::seconds timeout,
            net::Watchdog& watchdog);

    /// Sends one request and waits for its answer, until the time-out for the whole of it is over. Throws
    /// only exceptions of the standard library and of `receive`. An empty token is not sent.
    [[nodiscard]] Attempt send(const Question& question, const std::string& token);

private:
    std::string prefix_;
    std::string way_;  ///< ` through the proxy HOST:PORT`; empty without one
    std::chrono::seconds timeout_;
    net::Resolver resolver_;
    net::Connection connection_;
};

}  // namespace data_import::client
