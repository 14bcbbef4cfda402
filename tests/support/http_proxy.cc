#include "http_proxy.h"

#include <Poco/Base64Encoder.h>
#include <Poco/Exception.h>
#include <Poco/Net/SocketAddress.h>
#include <poll.h>

#include <array>
#include <sstream>

namespace data_import::tests {

namespace net = Poco::Net;

namespace {

constexpr int pause = 20;  ///< milliseconds that a thread waits before it looks whether the proxy has to stop

std::string in_base64(const std::string& text) {
    std::ostringstream output;
    Poco::Base64Encoder encoder(output);
    encoder.rdbuf()->setLineLength(0);
    encoder << text;
    encoder.close();
    return output.str();
}

/// Passes on what has come from one side; false at the end of the stream.
bool pass(net::StreamSocket& from, net::StreamSocket& to) {
    std::array<char, 65536> buffer;
    const int count = from.receiveBytes(buffer.data(), static_cast<int>(buffer.size()));
    for (int sent = 0; sent < count;) sent += to.sendBytes(buffer.data() + sent, count - sent);
    return count > 0;
}

}  // namespace

HttpProxy::HttpProxy(Options options)
    : options_(std::move(options)), socket_(net::SocketAddress("127.0.0.1", 0)) {
    if (!options_.credentials.empty())
        authorization_ = "\r\nProxy-Authorization: Basic " + in_base64(options_.credentials) + "\r\n";
    acceptor_ = std::thread([this] { accept(); });
}

HttpProxy::~HttpProxy() {
    stopping_ = true;
    acceptor_.join();
    for (std::thread& connection : connections_) connection.join();
}

std::vector<std::string> HttpProxy::asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
}

void HttpProxy::accept() {
    while (!stopping_) {
        if (!socket_.poll(Poco::Timespan(0, pause * 1000), net::Socket::SELECT_READ)) continue;
        connections_.emplace_back([this, client = socket_.acceptConnection()] {
            try {
                serve(client);
            } catch (const Poco::Exception&) {
                // one side has ended the connection
            }
        });
    }
}

void HttpProxy::serve(net::StreamSocket client) {
    std::string request;
    while (!request.ends_with("\r\n\r\n")) {
        char byte = 0;
        if (!wait_for(client) || client.receiveBytes(&byte, 1) != 1) return;
        request += byte;
    }
    const std::string answer = answer_to(request);
    if (options_.is_silent) return static_cast<void>(wait_for(client));
    client.sendBytes(answer.data(), static_cast<int>(answer.size()));
    if (!answer.starts_with(options_.interim + "HTTP/1.1 200 ")) return;
    net::StreamSocket server(net::SocketAddress("127.0.0.1", options_.target));
    relay(client, server);
}

std::string HttpProxy::answer_to(const std::string& request) {
    const std::string method = "CONNECT ";
    if (!request.starts_with(method)) return "HTTP/1.1 405 Method Not Allowed\r\n\r\n";
    {
        const std::lock_guard lock(mutex_);
        asked_.push_back(request.substr(method.size(), request.find(" HTTP/1.") - method.size()));
    }
    if (request.find(authorization_) == std::string::npos)
        return "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic "
               "realm=\"tests\"\r\n\r\n";
    if (!options_.refusal.empty()) return "HTTP/1.1 " + options_.refusal + "\r\n\r\n";
    return options_.interim + "HTTP/1.1 200 Connection established\r\n\r\n";
}

void HttpProxy::relay(net::StreamSocket& client, net::StreamSocket& server) const {
    std::array<pollfd, 2> sides{pollfd{client.impl()->sockfd(), POLLIN, 0},
                                pollfd{server.impl()->sockfd(), POLLIN, 0}};
    while (!stopping_) {
        ::poll(sides.data(), sides.size(), pause);
        if (sides[0].revents != 0 && !pass(client, server)) return;
        if (sides[1].revents != 0 && !pass(server, client)) return;
    }
}

/// Waits until the socket has something to read, and then returns true. Returns false if the proxy ends
/// before that.
bool HttpProxy::wait_for(const net::StreamSocket& socket) const {
    while (!stopping_) {
        if (socket.poll(Poco::Timespan(0, pause * 1000), net::Socket::SELECT_READ)) return true;
    }
    return false;
}

}  // namespace data_import::tests
