// The events that an idle worker waits for.
#pragma once

#include <chrono>

#include "base/util/file_descriptor.h"

namespace data_import::fastcgi {

enum class Event { none, connection, stop };
enum class Wakes { this_process, one_process };

/// Sleeps until there is something to do. SIGTERM has to be blocked. It is read from a descriptor, because an
/// interrupted wait would not show it: under load a connection is always waiting.
class Waiter {
public:
    /// Throws std::runtime_error, as the other functions do.
    Waiter();

    /// Watches a descriptor. Events there, or its end, wake this process, or one of all processes that wait
    /// for it.
    void add(int descriptor, Wakes wakes);
    void remove(int descriptor);

    /// Returns nothing if no event came in `timeout`.
    [[nodiscard]] Event wait(std::chrono::milliseconds timeout);

private:
    util::FileDescriptor epoll_;
    util::FileDescriptor signals_;
};

}  // namespace data_import::fastcgi
