// Deadlines for calls that block. A time-out of Poco limits only a single operation. A call may last much
// longer, because it has many operations, or because the peer sends a byte now and then.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "base/util/file_descriptor.h"

namespace data_import::net {

/// A thread that shuts sockets down when their time is over, which ends any call that waits for them. Has to
/// outlive its watches.
class Watchdog {
public:
    using Clock = std::chrono::steady_clock;
    class Watch;

    Watchdog();
    ~Watchdog() = default;
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

private:
    void run(const std::stop_token& stop);

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::set<std::pair<Clock::time_point, Watch*>> running_;
    std::jthread thread_;  // declared last, so that it ends before the members that it uses are destroyed
};

/// The watch over one connection, used by the connection's thread.
class Watchdog::Watch {
public:
    explicit Watch(Watchdog& watchdog) : watchdog_(watchdog) {}
    ~Watch() { finish(); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

    /// Starts the watch, which shuts the guarded socket down at `deadline`. Has to be followed by finish().
    void start(Clock::time_point deadline);
    /// Watches this socket instead of the one before. Shuts the socket down at once if the deadline has
    /// passed. Throws std::system_error if there are no more descriptors.
    ///
    /// Keeps a duplicate of the descriptor: if the caller closes its descriptor, another socket may get the
    /// same number, and must not be shut down.
    void guard(int socket);
    /// Ends the watch. Returns true if the deadline has passed since start().
    bool finish();
    /// Closes the duplicate of the descriptor, so that the socket ends when the caller closes its own.
    void forget();

private:
    friend class Watchdog;
    void expire();  // the caller has locked mutex_ of the watchdog

    Watchdog& watchdog_;
    Clock::time_point deadline_;
    bool expired_ = false;
    util::FileDescriptor socket_;
};

}  // namespace data_import::net
