// The events that an idle worker waits for.
#pragma once

#include <chrono>

#include "base/util/file_descriptor.h"

namespace data_import::fastcgi {

enum class Event { none, connection, stop };
enum class Wakes { this_process, one_process };

/// Sleeps until something is to be done. SIGTERM, which has to be blocked, is read from a descriptor instead
/// of interrupting the wait: under load there is always a connection waiting, and an interruption would never
/// come.
class Waiter {
public:
    /// Throws std::runtime_error, like all that follows.
    Waiter();

    /// Events there, or its end, wake this process, or one of all processes that wait for it.
    void add(int descriptor, Wakes wakes);
    void remove(int descriptor);

    /// Nothing when none of it came in `timeout`.
    [[nodiscard]] Event wait(std::chrono::milliseconds timeout);

private:
    util::FileDescriptor epoll_;
    util::FileDescriptor signals_;
};

}  // namespace data_import::fastcgi
