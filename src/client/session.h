// One kept-alive connection to the service.
#pragma once

#include <Poco/Net/Context.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/options.h"
#include "client/watchdog.h"

namespace data_import::client {

/// Why a request has got no answer.
enum class Failure {
    none,         ///< it has got one
    connection,   ///< no connection, or lost
    time_out,     ///< the deadline has passed
    broken,       ///< what came is no answer of the service
    certificate,  ///< the service's certificate was not accepted
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

/// The access token that a file holds, less the white space around it. Throws std::runtime_error, which never
/// quotes what is in the file.
[[nodiscard]] std::string read_token(const std::string& file);

/// Connects at the first request, and again whenever the connection is gone. For one thread.
class Session {
public:
    /// `context` is null for a target without TLS. `watchdog` has to live longer.
    Session(Target target, Poco::Net::Context::Ptr context, std::string token, std::chrono::seconds timeout,
            Watchdog& watchdog);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Sends one request and waits for its answer, until the time-out for the whole of it is over. (The
    /// system's resolver keeps its own, shorter time.) Throws nothing but what the standard library does.
    [[nodiscard]] Attempt post(const std::string& path, std::string_view body);

private:
    class Connection;

    void exchange(const std::string& path, std::string_view body, Attempt& attempt);

    Target target_;
    std::string authorization_;
    std::chrono::seconds timeout_;
    Watchdog::Watch watch_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace data_import::client
