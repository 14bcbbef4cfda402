// Connections on which nginx will send further requests, and the queue by which workers hand them on.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "base/util/file_descriptor.h"
#include "service/fastcgi/waiter.h"

namespace data_import::fastcgi {

/// A queue that all workers of a pool share. The master makes it before it forks and keeps it, so that
/// connections in it outlive every worker.
class ConnectionQueue {
public:
    /// Throws std::runtime_error.
    ConnectionQueue();

    /// Returns a descriptor that is readable when there are connections in the queue, or when it is shut.
    [[nodiscard]] int get() const { return exit_.get(); }

    struct Taken {
        std::vector<util::FileDescriptor> connections;  ///< in the order in which they came
        bool is_all = false;                            ///< the queue is shut, and nothing more will come
    };

    /// Puts as many connections into the queue as there is room for, beginning with the first one; none if
    /// the queue is shut. Closes these connections in this process, and removes them from the list.
    void push(std::vector<util::FileDescriptor>& connections) const;

    /// Takes all connections in the queue; none if another worker was faster.
    [[nodiscard]] Taken take() const;

    /// Shuts the queue for all processes. Nothing more can be put into it, but its connections can still be
    /// taken.
    void shut() const;

    /// Closes this process's descriptors of the queue. Other processes can still use the queue.
    void close();

private:
    util::FileDescriptor entry_;
    util::FileDescriptor exit_;
};

/// A connection with a request on it.
struct ReadyConnection {
    util::FileDescriptor connection;
    bool is_gone = false;  ///< nginx has closed its end: nobody waits for an answer
};

/// The connections that a worker watches while it has nothing to do. Before the worker becomes busy, it hands
/// these connections on to other workers. So the only requests that wait for a busy worker are those that the
/// worker had found before it became busy. The number of connections without a request is limited.
class KeptConnections {
public:
    /// Without a queue, no connections are kept. Queue and waiter have to outlive this object. If there are
    /// more than `most` connections without a request, those answered longest ago are closed.
    KeptConnections(const ConnectionQueue* queue, Waiter& waiter, std::size_t most);

    /// Keeps a connection, whose request has been answered, until nginx sends the next request on it. Closes
    /// the connection if the constructor was given no ConnectionQueue.
    void keep(util::FileDescriptor connection);

    /// Makes this worker keep no connection for later requests from now on, and hand none on to other
    /// workers. The next look() shuts idle connections for reading, so that nginx sends no more requests on
    /// them. It does not close them, because nginx answers 502 if a connection is closed while it sends a
    /// request. Requests that have arrived before are still found.
    void keep_no_more() { keeps_ = false; }

    /// Takes all connections out of the workers' ConnectionQueue, and finds the connections on which requests
    /// have come. Closes the connections that nginx has closed. Calls keep_no_more() if the queue was shut by
    /// ConnectionQueue::shut() and is empty.
    void look();

    /// Returns the next connection with a request that `look` found. The one that was answered longest ago
    /// comes first, so that none waits for ever.
    [[nodiscard]] std::optional<ReadyConnection> next();

    /// Puts all connections, with requests or not, into the workers' ConnectionQueue, so that other workers
    /// take them. Returns false if the queue did not take all of them.
    bool hand_on();

    /// Puts only the connections without a request into the workers' ConnectionQueue, so that other workers
    /// take them. Returns false if the queue did not take all of them.
    bool hand_on_idle();

    /// Makes the waiter wake up for requests on any kept connection. Has to be called before the waiter
    /// waits.
    void watch();

private:
    void find_ready();
    void close_oldest();
    void unwatch();
    void refuse_more();
    void put_back();
    void put_first(std::vector<util::FileDescriptor> connections);

    const ConnectionQueue* queue_;
    Waiter& waiter_;
    std::size_t most_;
    bool keeps_;
    std::vector<util::FileDescriptor> idle_;  ///< without a request; the one answered longest ago comes first
    std::size_t watched_ = 0;  ///< number of connections at the front of `idle_` that the waiter watches
    std::deque<ReadyConnection> ready_;
};

}  // namespace data_import::fastcgi
