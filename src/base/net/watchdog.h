// Deadlines for calls that block. Poco's time-outs are for one operation each: a call of many operations, or
// with a peer that sends a byte now and then, may last much longer.
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
    /// Watches this socket instead of the one before; shuts it down at once if the deadline has passed. Keeps
    /// a duplicate of the descriptor, so that nothing happens to another socket that gets the number of a
    /// closed one. Throws std::system_error if there are no more descriptors.
    void guard(int socket);
    /// Ends the watch. Returns true if the deadline has passed since start().
    bool finish();
    /// Releases the socket: it is closed once its other owner has closed it, too.
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
