// One request over one FastCGI connection: the only place that knows libfcgi.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "http/request.h"
#include "util/file_descriptor.h"

namespace data_import::fastcgi {

struct ExchangeLimits {
    std::size_t max_body_bytes = 0;
    std::chrono::seconds read_timeout{};  ///< per read without a byte
    /// Per write without progress, of answers that may have to wait; and of the whole, for a peer that takes
    /// less than 256 KiB a second.
    std::chrono::seconds write_timeout{};
    /// Seconds of the alarm that each written part of a long answer sets again: an answer may take as long as
    /// its bytes flow.
    std::chrono::seconds alarm{};
};

/// To be called once in a process, before the first exchange. Throws std::runtime_error.
void prepare_exchanges();

/// Whether the other end of a connection is closed: nginx closes it when its client has gone, or when it has
/// waited long enough. Nobody would read an answer then.
[[nodiscard]] bool peer_is_gone(int connection);

/// To be called once for a connection, before its first exchange.
void prepare_connection(int connection, const ExchangeLimits& limits);

/// One request of a connection, and the way of its answer.
class Exchange {
public:
    /// Reads the request, all that the peer sends: closing with unread bytes can make nginx lose the answer.
    /// The limits have to outlive it.
    Exchange(util::FileDescriptor connection, const ExchangeLimits& limits);
    /// Closes the connection, unless it was taken. An answer that is not finished is cut off so that the peer
    /// sees it.
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// False when no request arrived, or the connection broke before all of it had; there is nothing to
    /// answer then, and nginx may send again what it could not send to its end.
    [[nodiscard]] bool has_request() const;

    /// A header field that stands twice in the request (nginx passes both) is not chosen from: Authorization
    /// and Idempotency-Key become present but empty, which is never valid; the values of Accept are joined. A
    /// body that is not complete is left out, and `body_state` says why.
    [[nodiscard]] const http::Request& request() const;
    [[nodiscard]] http::Responder& responder();

    /// The connection, once, when the answer is finished and the peer wants to send its next request there.
    [[nodiscard]] std::optional<util::FileDescriptor> take_connection();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace data_import::fastcgi
