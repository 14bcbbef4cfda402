// Readiness, state and watchdog messages to systemd (sd_notify(3), the protocol alone).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/util/file_descriptor.h"

namespace data_import::fastcgi {

/// The value of a variable that systemd has set, which is removed so that no child process sees it; empty
/// without one.
[[nodiscard]] std::string take_environment(const char* name);

/// Talks to the socket that $NOTIFY_SOCKET names (`@...` is an abstract one); without one every call does
/// nothing.
class Notifier {
public:
    /// Reads and removes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID, so that no child process sees them.
    Notifier();

    void ready(std::string_view status) const;
    void reloading() const;
    /// `within` is what the service takes at most: systemd waits for longer than that, whatever the unit
    /// says.
    void stopping(std::chrono::seconds within) const;
    void watchdog() const;

    /// How often `watchdog` is to be called: half of what systemd waits. Nothing when it does not wait.
    [[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval() const {
        return watchdog_interval_;
    }

private:
    void send(const std::string& message) const;

    std::string address_;
    util::FileDescriptor socket_;
    std::optional<std::chrono::microseconds> watchdog_interval_;
};

}  // namespace data_import::fastcgi
