// One request over one FastCGI connection. Only this file and its source know libfcgi.
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
    std::chrono::seconds read_timeout{};  ///< longest wait for the next byte of a request
    /// The longest wait of one write for a peer that takes no bytes of an answer. All writes of one answer
    /// together may wait for `write_timeout` plus one second for each 256 KiB written. The first bytes of an
    /// answer (http::taken_at_once) are written without a limit, because the socket's buffer takes them at
    /// once.
    std::chrono::seconds write_timeout{};
    /// Time until SIGALRM ends the worker. Each written part of a long answer sets the alarm again, so that
    /// an answer may last as long as its bytes flow. 0: writes set no alarm.
    std::chrono::seconds alarm{};
    bool reads_person = false;  ///< the pool's requests come from persons who have signed in
};

/// Initialises libfcgi. Has to be called once in a process, before the first exchange. Throws
/// std::runtime_error.
void prepare_exchanges();

/// Returns whether the other end of a connection is closed. nginx closes it when its client has gone, or when
/// it has waited long enough. Then nobody would read an answer.
[[nodiscard]] bool peer_is_gone(int connection);

/// Sets the read time-out of a connection. Has to be called once, before the first exchange on it.
void prepare_connection(int connection, const ExchangeLimits& limits);

/// One request of a connection, and its answer. The destructor cuts an unfinished answer in a way that nginx
/// notices. The destructor closes the connection, unless take_connection() has given the connection away.
class Exchange {
public:
    Exchange() = default;
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;
    virtual ~Exchange() = default;

    /// Returns the request. If a header field was sent twice, nginx passes on both. Neither value is chosen:
    /// Authorization and Idempotency-Key become present but empty, which is never valid; the values of Accept
    /// are joined. A body that is not complete is left out, and `body_state` says why.
    [[nodiscard]] virtual const http::Request& request() const = 0;
    [[nodiscard]] virtual http::Responder& responder() = 0;

    /// Gives the connection to the caller if the answer is finished and the peer wants to send further
    /// requests on the connection. Returns nothing otherwise, and after the first time.
    [[nodiscard]] virtual std::optional<util::FileDescriptor> take_connection() = 0;
};

/// Reads a whole request from the connection. Returns null if no whole request arrived. Such a request needs
/// no answer: nginx could not send all of it, and may send it again. `limits` has to outlive the exchange.
///
/// Reads even a refused body to its last byte, because closing a connection with unread bytes can make nginx
/// lose the answer.
[[nodiscard]] std::unique_ptr<Exchange> read_exchange(util::FileDescriptor connection,
                                                      const ExchangeLimits& limits);

}  // namespace data_import::fastcgi
