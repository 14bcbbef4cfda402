// The connections that bring a worker's requests: new connections at the socket of its pool, and connections
// that nginx keeps open after an answer.
//
// A worker without work watches the kept connections that it holds. Before the worker becomes busy, it hands
// these connections to the other workers. So a busy worker delays only the requests that it has already
// found.
//
// nginx sends an import once more, marked as possibly stored, if the worker ended before it answered the
// import. The repeated import comes over a new connection. It is alone in its batch, because it may have
// caused the worker's end. nginx never repeats a request with a query string, because a client marks an
// import that must not be retried by a parameter of the query.
//
// When the service stops, the workers first answer the requests on kept connections. Requests that wait in
// the sockets stay there for the next start.
#pragma once

#include <chrono>
#include <optional>

#include "base/util/file_descriptor.h"
#include "service/fastcgi/exchange.h"
#include "service/fastcgi/kept_connections.h"
#include "service/fastcgi/waiter.h"

namespace data_import::fastcgi {

/// The connections of one worker.
class Connections {
public:
    /// Accepts connections from `listener`. Without a queue, connections are closed after each request. Queue
    /// and limits have to outlive this object.
    Connections(int listener, const ConnectionQueue* queue, const ExchangeLimits& limits);

    /// Finds the connections on which requests have arrived. Has to be called before `next`.
    void look();

    /// Returns the next connection with a request; nothing if there are no more. Takes new and kept
    /// connections in turn, so that a connection of one sort does not wait for all of the other sort.
    [[nodiscard]] std::optional<ReadyConnection> next();

    /// Pauses for 0.1 s if, after the last call of look(), a new connection could not be accepted for lack of
    /// descriptors or memory. To be called when there is nothing else to do.
    void wait_for_resources() const;

    /// Keeps a connection whose request is answered, for its next request.
    void keep(util::FileDescriptor connection) { kept_.keep(std::move(connection)); }

    /// Hands to the other workers the connections that `next` has not returned, so that their requests do not
    /// wait for this worker. Has to be called before this worker becomes busy. Returns false if there is no
    /// other worker, or no room for all of these connections.
    bool leave_to_others() { return kept_.hand_on(); }

    /// Waits for a connection or SIGTERM. Returns Event::none if neither came in `timeout`.
    [[nodiscard]] Event wait(std::chrono::milliseconds timeout);

    /// Returns whether the master has shut the socket down, because the service stops. Then no other worker
    /// will answer the requests that wait there.
    [[nodiscard]] bool is_retired() const;

    /// Accepts no new connections from now on. The next look() also shuts the kept connections for reading,
    /// so that nginx sends no further requests on them. next() still returns each kept connection on which a
    /// request arrived before the connection was shut.
    void close_down();

private:
    [[nodiscard]] std::optional<ReadyConnection> next_new();

    int listener_;
    const ExchangeLimits& limits_;
    Waiter waiter_;
    KeptConnections kept_;
    bool is_turn_of_new_ = false;
    bool has_taken_ = false;  ///< `next` has returned a connection since the last look()
    bool takes_new_ones_ = true;
    int why_no_new_one_ = 0;  ///< errno of an accept4 that failed since the last look()
};

}  // namespace data_import::fastcgi
