#include "service/fastcgi/kept_connections.h"

#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

#include "base/util/failure.h"
#include "base/util/log.h"

namespace data_import::fastcgi {

namespace {

/// The most descriptors that the kernel passes with one message.
constexpr std::size_t most_at_once = 253;

/// A message that carries descriptors, with room for them. It has one byte of data, because the kernel passes
/// no descriptors without data.
class Message {
public:
    Message() {
        header_.msg_iov = &part_;
        header_.msg_iovlen = 1;
        header_.msg_control = room_;
        header_.msg_controllen = sizeof(room_);
    }
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;

    [[nodiscard]] bool send(int socket, std::span<const util::FileDescriptor> connections) {
        header_.msg_controllen = CMSG_SPACE(connections.size() * sizeof(int));
        cmsghdr& descriptors = *CMSG_FIRSTHDR(&header_);
        descriptors.cmsg_level = SOL_SOCKET;
        descriptors.cmsg_type = SCM_RIGHTS;
        descriptors.cmsg_len = CMSG_LEN(connections.size() * sizeof(int));
        for (std::size_t number = 0; number < connections.size(); ++number) {
            const int descriptor = connections[number].get();
            std::memcpy(CMSG_DATA(&descriptors) + number * sizeof(int), &descriptor, sizeof(int));
        }
        return ::sendmsg(socket, &header_, MSG_DONTWAIT | MSG_NOSIGNAL) > 0;
    }

    /// Receives a message and appends its descriptors to `taken`. Returns false if there is no message. Sets
    /// `taken.is_all` if there will be no more messages, because the other end is shut.
    [[nodiscard]] bool receive(int socket, ConnectionQueue::Taken& taken) {
        const ssize_t length = ::recvmsg(socket, &header_, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        taken.is_all = length == 0;
        if (length <= 0) return false;
        if ((header_.msg_flags & MSG_CTRUNC) != 0)
            util::log(util::Severity::error,
                      "connections are lost, because this process has too many descriptors");
        for (cmsghdr* part = CMSG_FIRSTHDR(&header_); part != nullptr; part = CMSG_NXTHDR(&header_, part)) {
            if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
            for (std::size_t at = CMSG_LEN(0); at < part->cmsg_len; at += sizeof(int)) {
                int descriptor = -1;
                std::memcpy(&descriptor, CMSG_DATA(part) + (at - CMSG_LEN(0)), sizeof(int));
                taken.connections.emplace_back(descriptor);
            }
        }
        return true;
    }

private:
    char byte_ = 0;
    iovec part_{&byte_, 1};
    // Zeroed, because the kernel is also given the padding before and after the descriptors.
    alignas(cmsghdr) char room_[CMSG_SPACE(most_at_once * sizeof(int))]{};
    msghdr header_{};
};

bool has_unread_bytes(const util::FileDescriptor& connection) {
    int count = 0;
    return ::ioctl(connection.get(), FIONREAD, &count) == 0 && count > 0;
}

}  // namespace

ConnectionQueue::ConnectionQueue() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        util::fail("cannot make the queue of connections");
    entry_ = util::FileDescriptor(ends[0]);
    exit_ = util::FileDescriptor(ends[1]);
}

void ConnectionQueue::push(std::vector<util::FileDescriptor>& connections) const {
    std::span<const util::FileDescriptor> rest = connections;
    while (!rest.empty()) {
        const std::size_t count = std::min(rest.size(), most_at_once);
        if (!Message().send(entry_.get(), rest.first(count))) break;
        rest = rest.subspan(count);
    }
    connections.erase(connections.begin(), connections.end() - static_cast<std::ptrdiff_t>(rest.size()));
}

ConnectionQueue::Taken ConnectionQueue::take() const {
    Taken taken;
    while (Message().receive(exit_.get(), taken)) {
    }
    return taken;
}

void ConnectionQueue::shut() const {
    ::shutdown(entry_.get(), SHUT_WR);
}

void ConnectionQueue::close() {
    entry_.close();
    exit_.close();
}

KeptConnections::KeptConnections(const ConnectionQueue* queue, Waiter& waiter, std::size_t most)
    : queue_(queue), waiter_(waiter), most_(most), keeps_(queue != nullptr) {
    if (queue_ != nullptr) waiter_.add(queue_->get(), Wakes::one_process);
}

void KeptConnections::keep(util::FileDescriptor connection) {
    if (queue_ != nullptr) idle_.push_back(std::move(connection));
}

void KeptConnections::look() {
    if (queue_ == nullptr) return;
    ConnectionQueue::Taken taken = queue_->take();
    put_first(std::move(taken.connections));
    if (taken.is_all) keep_no_more();
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
    queue_->push(idle_);
    return idle_.empty();
}

// Makes ready connections idle again. Their requests are still unread, so the next look(), in this worker or
// another one, finds them.
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
    for (; watched_ < idle_.size(); ++watched_) waiter_.add(idle_[watched_].get(), Wakes::this_process);
}

// Has to be called before connections are put into the queue for other workers. Otherwise epoll would still
// report these connections to this process, because another process has them open.
void KeptConnections::unwatch() {
    for (; watched_ > 0; --watched_) waiter_.remove(idle_[watched_ - 1].get());
}

}  // namespace data_import::fastcgi
