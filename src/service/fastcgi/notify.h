// Readiness, state and watchdog messages to systemd. Without systemd every call does nothing.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace data_import::fastcgi::notify {

void ready(const std::string& status);
void reloading();
/// `within` is what the service takes at most: systemd waits for longer than that, whatever the unit says.
void stopping(std::chrono::seconds within);
void watchdog();

/// How often `watchdog` is to be called: half of what systemd waits. Nothing when it does not wait.
[[nodiscard]] std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace data_import::fastcgi::notify
