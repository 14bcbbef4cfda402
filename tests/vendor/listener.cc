#include "listener.h"

#include <Poco/Exception.h>
#include <Poco/Net/TCPServerConnection.h>
#include <Poco/Net/TCPServerConnectionFactory.h>
#include <Poco/Net/TCPServerParams.h>

#include <exception>

#include "conversation.h"

namespace data_import::vendor_simulator {

namespace {

constexpr int most_connections = 2000;

class Connection : public Poco::Net::TCPServerConnection {
public:
    Connection(const Poco::Net::StreamSocket& socket, const Service& service)
        : TCPServerConnection(socket), service_(service) {}

    // Ignores exceptions, because peers are expected to break off.
    void run() override {
        try {
            service_(socket());
        } catch (const Ended&) {
        } catch (const Poco::Exception&) {
        } catch (const std::exception&) {
        }
    }

private:
    const Service& service_;
};

class ConnectionFactory : public Poco::Net::TCPServerConnectionFactory {
public:
    explicit ConnectionFactory(Service service) : service_(std::move(service)) {}

    Poco::Net::TCPServerConnection* createConnection(const Poco::Net::StreamSocket& socket) override {
        return new Connection(socket, service_);
    }

private:
    Service service_;
};

}  // namespace

Poco::Net::SocketAddress loopback() {
    return {"127.0.0.1", 0};
}

Listener::Listener(const Poco::Net::ServerSocket& socket, Poco::ThreadPool& threads, Service service) {
    Poco::Net::TCPServerParams::Ptr parameters(new Poco::Net::TCPServerParams);
    parameters->setMaxThreads(most_connections);
    parameters->setMaxQueued(most_connections);
    server_ = std::make_unique<Poco::Net::TCPServer>(new ConnectionFactory(std::move(service)), threads,
                                                     socket, parameters);
    server_->start();
}

// Fills the queue of a listening socket: the kernel drops the SYN of a connection that finds no room in the
// queue. The queue takes one connection more than the backlog.
DeafPort::DeafPort() : socket_(loopback(), 0) {
    for (int place = 0; place < 4; ++place) queue_.emplace_back().connectNB(socket_.address());
}

}  // namespace data_import::vendor_simulator
