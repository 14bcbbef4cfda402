// Waits for the events that concern an idle worker: connections, bytes on them, and SIGTERM.
#pragma once

#include <chrono>

#include "base/util/file_descriptor.h"

namespace data_import::fastcgi {

enum class Event { none, connection, stop };
enum class Wakes { this_process, one_process };

/// Sleeps until there is something to do. The process has to block SIGTERM, because the Waiter reads SIGTERM
/// from a descriptor. A signal handler would not do: a signal that comes while the worker is not waiting, as
/// under load, would be missed.
class Waiter {
public:
    /// Watches SIGTERM from the beginning. Throws std::runtime_error, as the other functions do.
    Waiter();

    /// Watches a descriptor. This process wakes up when the descriptor becomes readable or ends. With
    /// Wakes::one_process, only one of the processes that watch the descriptor wakes up.
    void add(int descriptor, Wakes wakes);
    void remove(int descriptor);

    /// Returns Event::none if nothing came in `timeout`. If SIGTERM and connections have come, returns
    /// Event::stop.
    [[nodiscard]] Event wait(std::chrono::milliseconds timeout);

private:
    util::FileDescriptor epoll_;
    util::FileDescriptor signals_;
};

}  // namespace data_import::fastcgi
