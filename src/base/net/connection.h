// One kept-alive HTTP connection, with one deadline for each whole exchange.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/net/resolver.h"
#include "base/net/transport.h"
#include "base/net/watchdog.h"

namespace data_import::net {

/// The reason why there is no answer.
enum class ExchangeFailure {
    none,       ///< there is an answer
    timed_out,  ///< a deadline has passed
    broken,     ///< no connection, or one that was lost, or an answer that is no HTTP, cut short or too long
    no_tls,     ///< TLS failed for a lasting reason: the protocol, or this program's set-up
    untrusted,  ///< the certificate has expired, is not valid yet, or is for another name
    unknown_authority,  ///< no trusted authority has issued the certificate
    proxy_denied,       ///< the proxy wants a user and a password, or rejects the given ones
};

struct Request {
    std::string method;
    std::string target;
    /// Headers besides those that every request has.
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string_view body{};  ///< the body, in JSON unless a header says otherwise; may be empty
    /// If this function is set, it gets the body of a 200 answer piece by piece, and Exchange::body stays
    /// empty. Such a body may have any length, and the time until the deadline begins anew for each piece.
    /// After an exception from `receive`, the connection is not used again.
    std::function<void(std::string_view)> receive{};
};

/// The outcome of one request.
struct Exchange {
    ExchangeFailure failure = ExchangeFailure::none;
    std::string reason;  ///< why the request failed, in one line; empty if it did not
    bool sent = false;   ///< the other side may have read the request
    bool begun = false;  ///< `receive` has got a part of the body
    int status = 0;
    std::string body{};
    std::optional<std::chrono::seconds> retry_after{};
    std::string request_id{};  ///< header X-Request-Id of the answer: the request's name in the logs
    std::string content_type{};
    std::string coding{};    ///< Content-Encoding of a body that is left packed; empty: the body is plain
    std::string location{};  ///< the address that a redirect leads to
    std::string server{};    ///< header Server of the answer
};

/// The limits of a connection's time and of an answer's body.
struct Limits {
    std::chrono::seconds connect_timeout;  ///< longest time for look-up, connecting and handshake
    std::size_t max_bytes;
};

/// A connection to one peer, for requests one after the other. Connects at the first request, and again if
/// the connection is closed or has bytes that belong to no request. Passes over interim answers (100, 102,
/// 103 and so on). Unpacks gzip, even if the request has not asked for gzip. Does not follow redirects, but
/// returns them as answers. Only one thread may use a connection.
class Connection {
public:
    using Deadline = std::chrono::steady_clock::time_point;

    /// `watchdog` and `resolver` have to outlive the connection.
    Connection(Peer peer, Limits limits, Watchdog& watchdog, Resolver& resolver);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    /// Sends one request and receives its answer. `deadline` is for all of it: look-up, connecting, handshake
    /// and every byte. Throws only exceptions of the standard library.
    ///
    /// If a kept connection turns out to be closed, the request is sent once more on another connection. It
    /// is not sent once more if it may have been carried out (it was sent and is not GET), or if `receive`
    /// has got a part of the body.
    [[nodiscard]] Exchange send(const Request& request, Deadline deadline);

private:
    class Session;

    [[nodiscard]] Exchange attempt(const Request& request, Deadline deadline);
    void connect(Deadline deadline);
    void exchange(const Request& request, Deadline deadline, Exchange& result);
    [[nodiscard]] std::function<void(std::string_view)> passing_on(const Request& request, Deadline deadline,
                                                                   Exchange& result);

    const Peer peer_;
    const Limits limits_;
    Watchdog::Watch watch_;
    Resolver& resolver_;
    std::unique_ptr<Session> session_;  ///< null while there is no connection
};

}  // namespace data_import::net
