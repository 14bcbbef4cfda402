// One request over one FastCGI connection: the only place that knows libfcgi.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>

#include "base/util/file_descriptor.h"
#include "service/http/request.h"

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

/// One request of a connection, and the way of its answer. Its end closes the connection, unless it was
/// taken; an answer that is not finished is cut off so that the peer sees it.
class Exchange {
public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange() = default;

    /// A header field that stands twice in the request (nginx passes both) is not chosen from: Authorization
    /// and Idempotency-Key become present but empty, which is never valid; the values of Accept are joined. A
    /// body that is not complete is left out, and `body_state` says why.
    [[nodiscard]] virtual const http::Request& request() const = 0;
    [[nodiscard]] virtual http::Responder& responder() = 0;

    /// The connection, once, when the answer is finished and the peer wants to send its next request there.
    [[nodiscard]] virtual std::optional<util::FileDescriptor> take_connection() = 0;
};

/// Reads the request, all that the peer sends: closing with unread bytes can make nginx lose the answer. Null
/// when no request arrived, or the connection broke before all of it had; there is nothing to answer then,
/// and nginx may send again what it could not send to its end. The limits have to outlive it.
[[nodiscard]] std::unique_ptr<Exchange> read_exchange(util::FileDescriptor connection,
                                                      const ExchangeLimits& limits);

}  // namespace data_import::fastcgi
