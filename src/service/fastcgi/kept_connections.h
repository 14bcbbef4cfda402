// Connections on which nginx will send its next requests, and the queue by which workers hand them on.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "base/util/file_descriptor.h"
#include "service/fastcgi/waiter.h"

namespace data_import::fastcgi {

/// A queue that all workers of a pool share. The master makes it before it forks and keeps it, so that what
/// was left there outlives every worker.
class ConnectionQueue {
public:
    /// Throws std::runtime_error.
    ConnectionQueue();

    /// Readable when there are connections.
    [[nodiscard]] int get() const { return exit_.get(); }

    struct Taken {
        std::vector<util::FileDescriptor> connections;  ///< in the order in which they came
        bool is_all = false;                            ///< the queue is shut: nothing more will come
    };

    /// Adds as many of the first of `connections` as there is room for, none where it is shut; those are
    /// closed in this process and are gone from the list.
    void push(std::vector<util::FileDescriptor>& connections) const;

    /// Takes everything; nothing when another worker was faster.
    [[nodiscard]] Taken take() const;

    /// For all processes: there is no room from now on; what is in the queue can still be taken.
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

/// The connections that a worker looks after while it is free. One that gets to work hands them on, so that
/// requests wait for its work only where it has found them already. Of those that never bring a request it
/// holds so many, not more.
class KeptConnections {
public:
    /// Without a queue to hand them on none are kept. Both have to outlive it. More than `most` without a
    /// request are closed, those first that were answered longest ago.
    KeptConnections(const ConnectionQueue* queue, Waiter& waiter, std::size_t most);

    /// Looks after an answered connection from now on, or closes it where none are kept.
    void keep(util::FileDescriptor connection);

    /// From now on no connection is handed on: there is no other worker. The next `look` lets nginx send
    /// nothing more, so that the work ends however fast it sends, and finds what it has sent by then, also
    /// after an answer: a connection that was closed over the bytes of a request would look to nginx as if a
    /// worker had died of it (502).
    void keep_no_more() { keeps_ = false; }

    /// Takes over what others have handed on, and looks where requests have come. Connections that nginx has
    /// closed are closed. Where nobody will hand on anything any more it keeps no more.
    void look();

    /// The next request that was found. Who was answered longest ago is first, so that none waits for ever.
    [[nodiscard]] std::optional<ReadyConnection> next();

    /// Leaves all of them, requests or not, to the other workers. False when there was no room for all.
    bool hand_on();

    /// The same of those where no request was found.
    bool hand_on_idle();

    /// To be called before the waiter waits: what comes on any of them wakes it.
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
    std::vector<util::FileDescriptor> idle_;  ///< in front the one whose last answer is longest ago
    std::size_t watched_ = 0;                 ///< so many of the first of them wake the waiter
    std::deque<ReadyConnection> ready_;
};

}  // namespace data_import::fastcgi
