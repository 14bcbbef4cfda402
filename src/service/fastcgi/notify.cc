#include "service/fastcgi/notify.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "base/util/log.h"
#include "base/util/whole_number.h"

namespace data_import::fastcgi {

std::string take_environment(const char* name) {
    const char* value = std::getenv(name);
    std::string text = value == nullptr ? "" : value;
    ::unsetenv(name);
    return text;
}

namespace {

std::optional<std::chrono::microseconds> take_watchdog_interval() {
    const auto period = util::whole_number<std::int64_t>(take_environment("WATCHDOG_USEC"));
    const auto process = util::whole_number<std::int64_t>(take_environment("WATCHDOG_PID"));
    if (!period || *period <= 0 || (process && *process != ::getpid())) return std::nullopt;
    return std::chrono::microseconds(*period / 2);
}

std::string monotonic_microseconds() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::to_string(now.tv_sec * 1'000'000 + now.tv_nsec / 1000);
}

}  // namespace

Notifier::Notifier()
    : address_(take_environment("NOTIFY_SOCKET")), watchdog_interval_(take_watchdog_interval()) {
    if (address_.empty()) return;
    const bool is_usable =
        (address_[0] == '/' || address_[0] == '@') && address_.size() < sizeof(sockaddr_un::sun_path);
    if (is_usable) socket_ = util::FileDescriptor(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (!socket_) util::log(util::Severity::warning, "NOTIFY_SOCKET cannot be used", {{"socket", address_}});
}

void Notifier::ready(std::string_view status) const {
    send("READY=1\nSTATUS=" + std::string(status));
}

void Notifier::reloading() const {
    send("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds() + "\nSTATUS=reloading");
}

void Notifier::stopping(std::chrono::seconds within) const {
    constexpr std::chrono::seconds for_the_end_itself{30};
    const std::chrono::microseconds wait = within + for_the_end_itself;
    send("STOPPING=1\nSTATUS=finishing running requests\nEXTEND_TIMEOUT_USEC=" +
         std::to_string(wait.count()));
}

void Notifier::watchdog() const {
    send("WATCHDOG=1");
}

void Notifier::send(const std::string& message) const {
    if (!socket_) return;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, address_.data(), address_.size());
    if (address_[0] == '@') address.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address_.size());
    const auto* target = reinterpret_cast<const sockaddr*>(&address);
    if (::sendto(socket_.get(), message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT, target, length) <
        0) {
        util::log(util::Severity::warning, "the service manager cannot be notified",
                  {{"reason", std::strerror(errno)}});
    }
}

}  // namespace data_import::fastcgi
