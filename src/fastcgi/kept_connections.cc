#include "fastcgi/kept_connections.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace data_import::fastcgi {

namespace {

bool has_unread_bytes(const util::FileDescriptor& connection) {
    int count = 0;
    return ::ioctl(connection.get(), FIONREAD, &count) == 0 && count > 0;
}

}  // namespace

KeptConnections::KeptConnections(const Handover* handover, Waiter& waiter, std::size_t most)
    : handover_(handover), waiter_(waiter), most_(most), keeps_(handover != nullptr) {
    if (handover_ != nullptr) waiter_.add_shared(handover_->get());
}

void KeptConnections::keep(util::FileDescriptor connection) {
    if (keeps_) idle_.push_back(std::move(connection));
}

void KeptConnections::look() {
    if (handover_ == nullptr) return;
    Handover::Left left_by_others = handover_->take();
    put_first(std::move(left_by_others.connections));
    if (left_by_others.is_all) keep_no_more();
    if (!keeps_) refuse_more();
    find_ready();
    close_oldest();
}

void KeptConnections::find_ready() {
    if (idle_.empty()) return;
    std::vector<pollfd> states;
    for (const util::FileDescriptor& connection : idle_) states.push_back({connection.get(), POLLIN, 0});
    if (::poll(states.data(), states.size(), 0) <= 0) return;
    unwatch();
    std::size_t left = 0;
    for (std::size_t number = 0; number < states.size(); ++number) {
        util::FileDescriptor connection = std::move(idle_[number]);
        const bool is_gone = (states[number].revents & (POLLHUP | POLLERR)) != 0;
        if (states[number].revents == 0) {
            idle_[left++] = std::move(connection);
        } else if (!is_gone || has_unread_bytes(connection)) {
            ready_.push_back({std::move(connection), is_gone});
        }
    }
    idle_.resize(left);
}

void KeptConnections::close_oldest() {
    if (idle_.size() <= most_) return;
    unwatch();
    idle_.erase(idle_.begin(), idle_.end() - static_cast<std::ptrdiff_t>(most_));
}

std::optional<ReadyConnection> KeptConnections::next() {
    if (ready_.empty()) return std::nullopt;
    ReadyConnection ready = std::move(ready_.front());
    ready_.pop_front();
    return ready;
}

bool KeptConnections::hand_on() {
    put_back();
    return hand_on_idle();
}

bool KeptConnections::hand_on_idle() {
    if (idle_.empty()) return true;
    if (!keeps_) return false;
    unwatch();
    handover_->leave(idle_);
    return idle_.empty();
}

// Connections that were found ready and not taken still have their requests.
void KeptConnections::put_back() {
    std::vector<util::FileDescriptor> connections;
    for (ReadyConnection& ready : ready_) connections.push_back(std::move(ready.connection));
    ready_.clear();
    put_first(std::move(connections));
}

void KeptConnections::refuse_more() {
    for (const util::FileDescriptor& connection : idle_) ::shutdown(connection.get(), SHUT_RD);
}

void KeptConnections::put_first(std::vector<util::FileDescriptor> connections) {
    if (connections.empty()) return;
    unwatch();
    std::ranges::move(idle_, std::back_inserter(connections));
    idle_ = std::move(connections);
}

void KeptConnections::watch() {
    put_back();
    for (; watched_ < idle_.size(); ++watched_) waiter_.add(idle_[watched_].get());
}

// A connection that lives on in another process would still wake this one.
void KeptConnections::unwatch() {
    for (; watched_ > 0; --watched_) waiter_.remove(idle_[watched_ - 1].get());
}

}  // namespace data_import::fastcgi
