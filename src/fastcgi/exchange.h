// One request over one FastCGI connection: the only place that knows libfcgi.
#pragma once

#include <chrono>
#include <cstddef>

#include "fastcgi/file_descriptor.h"
#include "http/request.h"

namespace data_import::fastcgi {

struct ExchangeLimits {
    std::size_t max_body_bytes = 0;
    std::chrono::seconds read_timeout{};   ///< per read without a byte
    std::chrono::seconds write_timeout{};  ///< per write without progress
};

/// To be called once in a process, before the first exchange. Throws std::runtime_error.
void prepare_exchanges();

enum class Outcome {
    answered,    ///< the handler's answer is with the peer, all of it
    broken,      ///< the handler left without an answer, or the peer is gone: the peer sees a cut connection
    no_request,  ///< nothing like a request arrived
};

/// Reads the one request of an accepted connection, lets `handler` answer it and closes the connection.
///
/// A header field that stands twice in the request (nginx passes both) is not chosen from: Authorization and
/// Idempotency-Key become present but empty, which is never valid; the values of Accept are joined. A body
/// that is not complete is left out, and `Request::body_state` says why.
///
/// What the peer sends is read to its end in any case, since closing with unread bytes can make nginx lose
/// the answer. The connection is closed after the one request whatever the peer asks for (`fastcgi_keep_conn`
/// would bind the worker to it). Exceptions of the handler are logged and end as Outcome::broken.
Outcome exchange(FileDescriptor connection, const ExchangeLimits& limits, const http::Handler& handler);

}  // namespace data_import::fastcgi
