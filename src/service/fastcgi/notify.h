// Readiness, state and watchdog messages to systemd. Without systemd, every call does nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace data_import::fastcgi::notify {

void ready(const std::string& status);
void reloading();
/// Tells systemd that the service is stopping, and will have ended after `within` at the latest. systemd
/// waits for that time and 30 s more before it kills the service, whatever the unit says.
void stopping(std::chrono::seconds within);
void watchdog();

/// Returns the interval at which `watchdog` is to be called: half of systemd's limit. Returns nothing if the
/// unit has no watchdog.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace data_import::fastcgi::notify
