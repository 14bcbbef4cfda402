#include "relay.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <thread>

namespace data_import::vendor_simulator {

namespace {

void send_all(Poco::Net::StreamSocket& target, const char* bytes, int count) {
    while (count > 0) {
        const int sent = target.sendBytes(bytes, count);
        bytes += sent;
        count -= sent;
    }
}

class Relay {
public:
    Relay(Poco::Net::StreamSocket& client, Poco::Net::StreamSocket& server, const Passage& passage)
        : client_(client), server_(server), passage_(passage), left_(passage.at_most) {}

    void run() {
        client_.setNoDelay(true);
        for (;;) {
            std::array<pollfd, 2> sides{pollfd{client_.impl()->sockfd(), POLLIN, 0},
                                        pollfd{server_.impl()->sockfd(), POLLIN, 0}};
            ::poll(sides.data(), sides.size(), -1);
            if (sides[0].revents != 0 && !forward()) return;
            if (sides[1].revents != 0 && !back()) return;
        }
    }

private:
    bool forward() {
        const int count = client_.receiveBytes(buffer_.data(), static_cast<int>(buffer_.size()));
        if (count <= 0) return false;
        send_all(server_, buffer_.data(), count);
        return true;
    }

    /// Passes bytes back to the client. Also reads the bytes that it does not pass on, so that the server
    /// can go on sending.
    bool back() {
        const bool drips = passage_.pause_per_byte.count() > 0;
        const int most = drips && left_ > 0 ? 1 : static_cast<int>(buffer_.size());
        const int count = server_.receiveBytes(buffer_.data(), most);
        if (count <= 0) return false;
        const auto passed = std::min(static_cast<std::size_t>(count), left_);
        left_ -= passed;
        send_all(client_, buffer_.data(), static_cast<int>(passed));
        if (drips) std::this_thread::sleep_for(passage_.pause_per_byte);
        return true;
    }

    Poco::Net::StreamSocket& client_;
    Poco::Net::StreamSocket& server_;
    Passage passage_;
    std::size_t left_;
    std::array<char, 65536> buffer_{};
};

}  // namespace

void relay(Poco::Net::StreamSocket client, Poco::Net::StreamSocket server, const Passage& passage) {
    Relay(client, server, passage).run();
}

}  // namespace data_import::vendor_simulator
