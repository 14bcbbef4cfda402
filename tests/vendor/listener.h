// A port of the loopback address, and a service for each connection to it.
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

/// Runs in a thread of its own for each connection; an exception ends the connection.
using Service = std::function<void(Poco::Net::StreamSocket)>;

/// 127.0.0.1 and a free port.
[[nodiscard]] Poco::Net::SocketAddress loopback();

class Listener {
public:
    /// `socket` listens already, with TLS or without.
    Listener(const Poco::Net::ServerSocket& socket, Poco::ThreadPool& threads, Service service);

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

private:
    std::unique_ptr<Poco::Net::TCPServer> server_;
};

/// A port that never answers a SYN: a client waits until its time is over.
class DeafPort {
public:
    DeafPort();

    [[nodiscard]] std::uint16_t port() const { return socket_.address().port(); }

private:
    Poco::Net::ServerSocket socket_;
    std::vector<Poco::Net::StreamSocket> queue_;  ///< these take all room in the queue
};

}  // namespace data_import::vendor_simulator
