// Readiness, state and watchdog messages to systemd. Without systemd, every call does nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace data_import::fastcgi::notify {

void ready(const std::string& status);
void reloading();
/// Tells systemd that the service stops, at most `within` from now. systemd then waits 30 s longer than that
/// before it kills the service, whatever the unit says.
void stopping(std::chrono::seconds within);
void watchdog();

/// Returns the interval at which `watchdog` is to be called: half of systemd's limit. Returns nothing if the
/// unit has no watchdog.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace data_import::fastcgi::notify
