// One kept-alive HTTPS connection to a vendor.
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "util/watchdog.h"
#include "vendor/configuration.h"
#include "vendor/resolver.h"

namespace data_import::vendor {

/// Why there is no answer.
enum class Failure {
    none,       ///< there is one
    timed_out,  ///< a deadline has passed
    broken,     ///< no connection, or one that was lost, or an answer that is no HTTP, cut short or too long
    untrusted,  ///< TLS failed for a reason that stays: certificate, name, protocol, or this program's set-up
};

/// What became of one request.
struct Exchange {
    Failure failure = Failure::none;
    std::string reason;  ///< for the log, where it failed
    int status = 0;
    std::string body;
    std::optional<std::chrono::seconds> retry_after;
};

/// Connects at the first request, and again whenever the connection is gone. Redirects are answers like any
/// other. For one thread.
class Connection {
public:
    using Deadline = std::chrono::steady_clock::time_point;

    /// `watchdog` and `resolver` have to live longer. An answer's body may have `max_bytes`.
    Connection(const Vendor& vendor, std::size_t max_bytes, util::Watchdog& watchdog, Resolver& resolver);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// `GET target`, until `deadline`: look-up, connecting, handshake and every byte. A kept connection that
    /// turns out to be closed is replaced without a word. Throws nothing but what the standard library does.
    [[nodiscard]] Exchange get(const std::string& target, std::string_view request_id, Deadline deadline);

private:
    class Session;

    [[nodiscard]] Exchange attempt(const std::string& target, std::string_view request_id, Deadline deadline);
    void exchange(const std::string& target, std::string_view request_id, Exchange& result);
    [[nodiscard]] std::string read_body(std::istream& input) const;

    const Vendor& vendor_;
    std::size_t max_bytes_;
    util::Watchdog::Watch watch_;
    Resolver& resolver_;
    std::unique_ptr<Session> session_;
};

}  // namespace data_import::vendor
