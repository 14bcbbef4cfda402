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

    /// Readable when there are connections.
    [[nodiscard]] int get() const { return exit_.get(); }

    struct Taken {
        std::vector<util::FileDescriptor> connections;  ///< in the order in which they came
        bool is_all = false;                            ///< the queue is shut, and nothing more will come
    };

    /// Hands on as many of the first of `connections` as there is room for, none if the queue is shut. They
    /// are closed in this process and removed from the list.
    void push(std::vector<util::FileDescriptor>& connections) const;

    /// Takes everything; nothing if another worker was faster.
    [[nodiscard]] Taken take() const;

    /// Shuts the queue for all processes: it takes nothing more, and what is in it can still be taken.
    void shut() const;

    /// Closes this process's descriptors, and does nothing else.
    void close();

private:
    util::FileDescriptor entry_;
    util::FileDescriptor exit_;
};

/// A connection with a request on it.
struct ReadyConnection {
    util::FileDescriptor connection;
    bool is_gone = false;  ///< nobody waits for an answer any more
};

/// The connections that a worker watches while it is free. When it begins to work it hands them on, so that
/// only requests that it has found already wait for its work. It holds a limited number of connections
/// without a request.
class KeptConnections {
public:
    /// Without a queue to hand them on, none are kept. Queue and waiter have to outlive it. If there are more
    /// than `most` without a request, those answered longest ago are closed.
    KeptConnections(const ConnectionQueue* queue, Waiter& waiter, std::size_t most);

    /// Watches an answered connection from now on, or closes it if none are kept.
    void keep(util::FileDescriptor connection);

    /// Hands on no connection from now on, because there is no other worker. The next `look` makes nginx send
    /// nothing more, so that the work ends however fast nginx sends, and finds what it has sent by then, also
    /// after an answer. If a connection were closed over the bytes of a request, nginx would think that a
    /// worker had died of it (502).
    void keep_no_more() { keeps_ = false; }

    /// Takes over what others have handed on, and finds requests that have come. Connections that nginx has
    /// closed are closed. If nobody will hand on anything any more, it keeps no more.
    void look();

    /// Returns the next request that was found. The connection that was answered longest ago comes first, so
    /// that none waits for ever.
    [[nodiscard]] std::optional<ReadyConnection> next();

    /// Leaves all connections, with requests or not, to the other workers. Returns false if there was no room
    /// for all.
    bool hand_on();

    /// Does the same for connections without a request.
    bool hand_on_idle();

    /// Has to be called before the waiter waits. Then bytes on any of them wake the waiter.
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
    std::vector<util::FileDescriptor> idle_;  ///< the one whose last answer is longest ago comes first
    std::size_t watched_ = 0;                 ///< so many, from the front, wake the waiter
    std::deque<ReadyConnection> ready_;
};

}  // namespace data_import::fastcgi
