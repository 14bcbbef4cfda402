#include "base/net/watchdog.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <stop_token>

#include "base/util/failure.h"

namespace data_import::net {

Watchdog::Watchdog() : thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Watchdog::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (running_.empty()) {
            changed_.wait(lock, stop, [this] { return !running_.empty(); });
            continue;
        }
        const auto [deadline, watch] = *running_.begin();
        if (Clock::now() >= deadline) {
            watch->expire();
            running_.erase(running_.begin());
        } else {
            // The wait also ends when a watch with an earlier deadline is started.
            changed_.wait_until(lock, stop, deadline, [this, until = deadline] {
                return !running_.empty() && running_.begin()->first < until;
            });
        }
    }
}

void Watchdog::Watch::start(Clock::time_point deadline) {
    const std::lock_guard lock(watchdog_.mutex_);
    deadline_ = deadline;
    expired_ = false;
    const bool is_first = watchdog_.running_.empty() || deadline < watchdog_.running_.begin()->first;
    watchdog_.running_.emplace(deadline, this);
    if (is_first) watchdog_.changed_.notify_one();
}

void Watchdog::Watch::guard(int socket) {
    util::FileDescriptor duplicate(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
    if (!duplicate) util::fail("cannot watch a socket");
    const std::lock_guard lock(watchdog_.mutex_);
    socket_ = std::move(duplicate);
    if (expired_) expire();
}

bool Watchdog::Watch::finish() {
    const std::lock_guard lock(watchdog_.mutex_);
    watchdog_.running_.erase({deadline_, this});
    return std::exchange(expired_, false);
}

void Watchdog::Watch::forget() {
    const std::lock_guard lock(watchdog_.mutex_);
    socket_ = util::FileDescriptor();
}

void Watchdog::Watch::expire() {
    expired_ = true;
    if (socket_.get() >= 0) ::shutdown(socket_.get(), SHUT_RDWR);
}

}  // namespace data_import::net
