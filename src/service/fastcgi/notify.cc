#include "service/fastcgi/notify.h"

#include <systemd/sd-daemon.h>

#include <cstdint>
#include <cstring>
#include <ctime>

#include "base/util/log.h"

namespace data_import::fastcgi::notify {

namespace {

void send(const std::string& message) {
    const int result = sd_notify(0, message.c_str());
    if (result < 0) {
        util::log(util::Severity::warning, "the service manager cannot be notified",
                  {{"reason", std::strerror(-result)}});
    }
}

std::string monotonic_microseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::to_string(now.tv_sec * 1'000'000 + now.tv_nsec / 1000);
}

}  // namespace

void ready(const std::string& status) {
    send("READY=1\nSTATUS=" + status);
}

void reloading() {
    send("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds() + "\nSTATUS=reloading");
}

void stopping(std::chrono::seconds within) {
    constexpr std::chrono::seconds for_the_end_itself{30};
    const std::chrono::microseconds wait = within + for_the_end_itself;
    send("STOPPING=1\nSTATUS=finishing running requests\nEXTEND_TIMEOUT_USEC=" +
         std::to_string(wait.count()));
}

void watchdog() {
    send("WATCHDOG=1");
}

std::optional<std::chrono::microseconds> watchdog_interval() {
    std::uint64_t period = 0;
    if (sd_watchdog_enabled(0, &period) <= 0) return std::nullopt;
    return std::chrono::microseconds(period / 2);
}

}  // namespace data_import::fastcgi::notify
