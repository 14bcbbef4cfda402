#include "client/stop.h"

#include <sys/eventfd.h>

#include "util/failure.h"

namespace data_import::client {

Stop::Stop() : event_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!event_) util::fail("cannot make an event");
}

void Stop::request(const std::string& reason, bool goes_on) {
    {
        const std::lock_guard lock(mutex_);
        if (!reason_.empty()) return;
        reason_ = reason;
        goes_on_ = goes_on;
    }
    // Outside the lock: the token's callbacks run in this call.
    source_.request_stop();
    ::eventfd_write(event_.get(), 1);
}

bool wait(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, time, [] { return false; });
    return !stop.stop_requested();
}

std::string Stop::reason() const {
    const std::lock_guard lock(mutex_);
    return reason_;
}

bool Stop::goes_on() const {
    const std::lock_guard lock(mutex_);
    return goes_on_;
}

}  // namespace data_import::client
