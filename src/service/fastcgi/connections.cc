#include "service/fastcgi/connections.h"

#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

#include "base/util/failure.h"
#include "base/util/log.h"

namespace data_import::fastcgi {

namespace {

/// Returns how many kept connections without a request one worker may hold: a quarter of its descriptors, so
/// that enough are left for everything else.
std::size_t most_kept() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) util::fail("cannot ask for the limit of descriptors");
    return limit.rlim_cur / 4;
}

}  // namespace

Connections::Connections(int listener, const ConnectionQueue* queue, const ExchangeLimits& limits)
    : listener_(listener), limits_(limits), kept_(queue, waiter_, most_kept()) {
    waiter_.add(listener_, Wakes::one_process);
}

void Connections::look() {
    kept_.look();
    why_no_new_one_ = 0;
    has_taken_ = false;
}

std::optional<ReadyConnection> Connections::next() {
    is_turn_of_new_ = !is_turn_of_new_;
    std::optional<ReadyConnection> ready = is_turn_of_new_ ? next_new() : kept_.next();
    if (!ready) ready = is_turn_of_new_ ? kept_.next() : next_new();
    if (ready && !std::exchange(has_taken_, true)) kept_.hand_on_idle();
    return ready;
}

std::optional<ReadyConnection> Connections::next_new() {
    if (why_no_new_one_ != 0 || !takes_new_ones_) return std::nullopt;
    util::FileDescriptor connection(::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) {
        why_no_new_one_ = errno;
        return std::nullopt;
    }
    const bool is_gone = peer_is_gone(connection.get());
    prepare_connection(connection.get(), limits_);
    return ReadyConnection{std::move(connection), is_gone};
}

// If accept4() failed because another worker was faster or the peer is gone, nothing is to be done. But if
// descriptors or memory are short, trying again at once would only burn the processor.
void Connections::wait_for_resources() const {
    const int reason = why_no_new_one_;
    if (reason != EMFILE && reason != ENFILE && reason != ENOBUFS && reason != ENOMEM) return;
    util::log(util::Severity::error, "cannot accept a connection", {{"reason", std::strerror(reason)}});
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

Event Connections::wait(std::chrono::milliseconds timeout) {
    if (timeout.count() > 0) kept_.watch();
    return waiter_.wait(timeout);
}

bool Connections::is_retired() const {
    pollfd socket{listener_, POLLRDHUP, 0};
    return ::poll(&socket, 1, 0) == 1 && (socket.revents & POLLRDHUP) != 0;
}

void Connections::close_down() {
    kept_.keep_no_more();
    takes_new_ones_ = false;
}

}  // namespace data_import::fastcgi
