#include "tools/client/stop.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/util/ending_signals.h"
#include "base/util/failure.h"

namespace data_import::client {

namespace {

std::string reason_of(unsigned signal) {
    if (signal == SIGHUP) return "ended by SIGHUP: the terminal is gone";
    return signal == SIGINT ? "interrupted" : "ended by SIGTERM";
}

}  // namespace

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
    // The lock is released before this call, because the call runs the token's callbacks.
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

Interruption::Interruption(Stop& stop) {
    const sigset_t signals = util::ending_signals();
    ::pthread_sigmask(SIG_BLOCK, &signals, &previous_);
    signals_ = util::FileDescriptor(::signalfd(-1, &signals, SFD_CLOEXEC));
    end_ = util::FileDescriptor(::eventfd(0, EFD_CLOEXEC));
    if (!signals_ || !end_) util::fail("cannot wait for signals");
    thread_ = std::thread([this, &stop] { run(stop); });
}

Interruption::~Interruption() {
    ::eventfd_write(end_.get(), 1);
    thread_.join();
    ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

void Interruption::run(Stop& stop) const {
    bool interrupted = false;
    pollfd descriptors[] = {{signals_.get(), POLLIN, 0}, {end_.get(), POLLIN, 0}};
    for (;;) {
        if (::poll(descriptors, 2, -1) < 0) continue;
        if (descriptors[1].revents != 0) return;
        signalfd_siginfo signal{};
        if (::read(signals_.get(), &signal, sizeof signal) != static_cast<ssize_t>(sizeof signal)) continue;
        if (interrupted) ::_exit(128 + static_cast<int>(signal.ssi_signo));
        interrupted = true;
        stop.request(reason_of(signal.ssi_signo));
    }
}

}  // namespace data_import::client
