// One kept-alive connection to the service.
#pragma once

#include <Poco/Net/Context.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/options.h"
#include "util/watchdog.h"

namespace data_import::client {

/// Why a request has got no answer.
enum class Failure {
    none,         ///< it has got one
    connection,   ///< no connection, or lost
    time_out,     ///< the deadline has passed
    broken,       ///< what came is no answer of the service
    certificate,  ///< the service's certificate was not accepted
    no_token,     ///< it was not sent: the service gives out no token for it
};

/// What one attempt came to.
struct Attempt {
    Failure failure = Failure::none;
    bool sent = false;    ///< the service may have read the request
    std::string problem;  ///< why there is no answer, in one line
    int status = 0;       ///< of the answer; 0 without one
    std::string body;
    std::optional<std::chrono::seconds> retry_after;
};

/// The TLS settings of all connections: TLS 1.2 at least, certificate and name are verified. Throws
/// std::runtime_error if the CA file cannot be used.
[[nodiscard]] Poco::Net::Context::Ptr make_context(const std::string& ca_file);

/// Connects at the first request, and again whenever the connection is gone. For one thread.
class Session {
public:
    /// `context` is null for a target without TLS. `watchdog` has to live longer.
    Session(Target target, Poco::Net::Context::Ptr context, std::chrono::seconds timeout,
            util::Watchdog& watchdog);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Sends one request and waits for its answer, until the time-out for the whole of it is over. (The
    /// system's resolver keeps its own, shorter time.) Throws nothing but what the standard library does.
    /// An empty token is not sent.
    [[nodiscard]] Attempt post(const std::string& path, std::string_view body, const std::string& token);

private:
    class Connection;

    void exchange(const std::string& path, std::string_view body, const std::string& token, Attempt& attempt);

    Target target_;
    std::chrono::seconds timeout_;
    util::Watchdog::Watch watch_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace data_import::client
