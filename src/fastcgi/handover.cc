#include "fastcgi/handover.h"

#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "util/failure.h"
#include "util/log.h"

namespace data_import::fastcgi {

namespace {

/// Descriptors that the kernel passes with one message.
constexpr std::size_t most_at_once = 253;

/// One message with descriptors: a byte, since there is none without, and room for them.
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

    /// False when there is no message, or the other end is shut and nothing is left.
    [[nodiscard]] bool receive(int socket, Handover::Left& left) {
        const ssize_t length = ::recvmsg(socket, &header_, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
        left.is_all = length == 0;
        if (length <= 0) return false;
        if ((header_.msg_flags & MSG_CTRUNC) != 0)
            util::log(util::Severity::error, "connections are lost: this process has too many descriptors");
        for (cmsghdr* part = CMSG_FIRSTHDR(&header_); part != nullptr; part = CMSG_NXTHDR(&header_, part)) {
            if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
            for (std::size_t at = CMSG_LEN(0); at < part->cmsg_len; at += sizeof(int)) {
                int descriptor = -1;
                std::memcpy(&descriptor, CMSG_DATA(part) + (at - CMSG_LEN(0)), sizeof(int));
                left.connections.emplace_back(descriptor);
            }
        }
        return true;
    }

private:
    char byte_ = 0;
    iovec part_{&byte_, 1};
    // the kernel is given the bytes between and behind the descriptors, too
    alignas(cmsghdr) char room_[CMSG_SPACE(most_at_once * sizeof(int))]{};
    msghdr header_{};
};

}  // namespace

Handover::Handover() {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        util::fail("cannot make what workers leave connections at");
    left_at_ = util::FileDescriptor(ends[0]);
    taken_from_ = util::FileDescriptor(ends[1]);
}

void Handover::leave(std::vector<util::FileDescriptor>& connections) const {
    std::span<const util::FileDescriptor> rest = connections;
    while (!rest.empty()) {
        const std::size_t count = std::min(rest.size(), most_at_once);
        if (!Message().send(left_at_.get(), rest.first(count))) break;
        rest = rest.subspan(count);
    }
    connections.erase(connections.begin(), connections.end() - static_cast<std::ptrdiff_t>(rest.size()));
}

Handover::Left Handover::take() const {
    Left left;
    while (Message().receive(taken_from_.get(), left)) {
    }
    return left;
}

void Handover::shut() const {
    ::shutdown(left_at_.get(), SHUT_WR);
}

void Handover::close() {
    left_at_.close();
    taken_from_.close();
}

}  // namespace data_import::fastcgi
