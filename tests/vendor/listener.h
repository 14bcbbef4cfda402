// Listeners on ports of the loopback address. A listener calls a function for each connection to its port, or
// lets all connections wait.
#pragma once

#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/StreamSocket.h>
#include <Poco/Net/TCPServer.h>
#include <Poco/ThreadPool.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace data_import::vendor_simulator {

/// A function that serves one connection, in a thread of its own. An exception ends the connection.
using Service = std::function<void(Poco::Net::StreamSocket)>;

/// Address 127.0.0.1 with port 0, for which the kernel chooses a free port.
[[nodiscard]] Poco::Net::SocketAddress loopback();

class Listener {
public:
    /// `socket` must be listening already, with TLS or without.
    Listener(const Poco::Net::ServerSocket& socket, Poco::ThreadPool& threads, Service service);

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

private:
    std::unique_ptr<Poco::Net::TCPServer> server_;
};

/// A port that never answers a SYN, so that a client waits until its time-out.
class DeafPort {
public:
    DeafPort();

    [[nodiscard]] std::uint16_t port() const { return socket_.address().port(); }

private:
    Poco::Net::ServerSocket socket_;
    std::vector<Poco::Net::StreamSocket> queue_;  ///< connections that fill the queue of `socket_`
};

}  // namespace data_import::vendor_simulator
