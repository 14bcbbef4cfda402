#include "service/fastcgi/waiter.h"

#include <sys/epoll.h>
#include <sys/signalfd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/util/failure.h"

namespace data_import::fastcgi {

Waiter::Waiter() : epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
    sigset_t awaited;
    ::sigemptyset(&awaited);
    ::sigaddset(&awaited, SIGTERM);
    signals_ = util::FileDescriptor(::signalfd(-1, &awaited, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!epoll_ || !signals_) util::fail("cannot wait for requests");
    add(signals_.get(), Wakes::this_process);
}

void Waiter::add(int descriptor, Wakes wakes) {
    epoll_event event{};
    event.events = wakes == Wakes::this_process ? EPOLLIN : EPOLLIN | EPOLLEXCLUSIVE;
    event.data.fd = descriptor;
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0)
        util::fail("cannot wait for requests");
}

void Waiter::remove(int descriptor) {
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, nullptr) != 0)
        util::fail("cannot wait for requests");
}

Event Waiter::wait(std::chrono::milliseconds timeout) {
    std::array<epoll_event, 16> events{};
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()),
                                   static_cast<int>(timeout.count()));
    if (count < 0 && errno != EINTR) util::fail("cannot wait for requests");
    for (int index = 0; index < count; ++index) {
        if (events[static_cast<std::size_t>(index)].data.fd == signals_.get()) return Event::stop;
    }
    return count > 0 ? Event::connection : Event::none;
}

}  // namespace data_import::fastcgi
