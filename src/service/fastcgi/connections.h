// The connections that bring a worker's requests: new ones at its pool's socket, and those that nginx keeps.
//
// A worker without work watches all kept connections, and hands them to the others before it works. So a
// request waits for a busy worker only if that worker had already seen it come. If a worker ends before it
// could answer an import, nginx sends the import once more over a new connection, marked as possibly stored.
// Such an import is in no batch with others, because it may be what ended the worker. nginx sends no request
// with a query again; an import that must not be retried says so in its query. When the service stops,
// requests on kept connections are answered before the workers end, and requests in the sockets wait for the
// next start.
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
    /// Takes connections from `listener`. Without a queue, they are closed after each request. Queue and
    /// limits have to outlive it.
    Connections(int listener, const ConnectionQueue* queue, const ExchangeLimits& limits);

    /// Finds the requests that have come. Has to be called before `next`.
    void look();

    /// Returns the next connection with a request, new and kept ones in turn, so that none waits for all
    /// others. Nothing if there are no more.
    [[nodiscard]] std::optional<ReadyConnection> next();

    /// Pauses if descriptors or memory were too short for a new connection since `look`. To be called when
    /// there is nothing else to do.
    void wait_for_resources() const;

    /// Keeps a connection whose request is answered, for its next request.
    void keep(util::FileDescriptor connection) { kept_.keep(std::move(connection)); }

    /// Has to be called before this worker is busy: other workers then find all requests that were not taken
    /// here. Returns false if they cannot.
    bool leave_to_others() { return kept_.hand_on(); }

    /// Returns nothing if neither a connection nor SIGTERM came in `timeout`.
    [[nodiscard]] Event wait(std::chrono::milliseconds timeout);

    /// Returns whether the master has shut the socket down: the service stops, and nobody else will answer
    /// what waits there.
    [[nodiscard]] bool is_retired() const;

    /// Takes no new connections any more, and keeps none. Requests that have come are still found.
    void close_down();

private:
    [[nodiscard]] std::optional<ReadyConnection> next_new();

    int listener_;
    const ExchangeLimits& limits_;
    Waiter waiter_;
    KeptConnections kept_;
    bool is_turn_of_new_ = false;
    bool has_taken_ = false;  ///< since the last look()
    bool takes_new_ones_ = true;
    int why_no_new_one_ = 0;  ///< errno of an accept4 that failed since the last look()
};

}  // namespace data_import::fastcgi
