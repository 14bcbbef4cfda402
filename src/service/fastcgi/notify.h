// Readiness, state and watchdog messages to systemd. Without systemd, every call does nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace data_import::fastcgi::notify {

void ready(const std::string& status);
void reloading();
/// Tells that the service stops, at most `within` from now. systemd then waits longer than that, whatever the
/// unit says.
void stopping(std::chrono::seconds within);
void watchdog();

/// Returns the interval at which `watchdog` is to be called: half of systemd's limit. Nothing if there is no
/// limit.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace data_import::fastcgi::notify
