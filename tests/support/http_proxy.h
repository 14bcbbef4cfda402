// An HTTP proxy that takes CONNECT, on a port of the loopback address.
#pragma once

#include <Poco/Net/ServerSocket.h>
#include <Poco/Net/StreamSocket.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace data_import::tests {

/// Every tunnel leads to one port of the loopback address, whatever server the client has named. So a client
/// can name a server that does not exist, and gets an answer only if it uses the proxy.
class HttpProxy {
public:
    struct Options {
        std::uint16_t target = 0;      ///< port at the other end of tunnels
        std::string credentials = {};  ///< `USER:PASSWORD` that it demands; empty: none
        std::string refusal = {};      ///< answer to every CONNECT (`403 Forbidden`); empty: a tunnel
        std::string interim = {};      ///< answers before the one that opens a tunnel
        bool is_silent = false;        ///< accepts connections and answers nothing
    };

    explicit HttpProxy(Options options);
    ~HttpProxy();
    HttpProxy(const HttpProxy&) = delete;
    HttpProxy& operator=(const HttpProxy&) = delete;

    /// `127.0.0.1:PORT`
    [[nodiscard]] std::string address() const { return socket_.address().toString(); }
    /// `HOST:PORT` of each CONNECT, in their order, the refused ones included.
    [[nodiscard]] std::vector<std::string> asked() const;

private:
    void accept();
    void serve(Poco::Net::StreamSocket client);
    [[nodiscard]] std::string answer_to(const std::string& request);
    void relay(Poco::Net::StreamSocket& client, Poco::Net::StreamSocket& server) const;
    [[nodiscard]] bool wait_for(const Poco::Net::StreamSocket& socket) const;

    const Options options_;
    std::string authorization_;  ///< the header line that every request must have; empty: none
    std::atomic<bool> stopping_ = false;
    mutable std::mutex mutex_;
    std::vector<std::string> asked_;
    Poco::Net::ServerSocket socket_;
    std::vector<std::thread> connections_;
    std::thread acceptor_;
};

}  // namespace data_import::tests
