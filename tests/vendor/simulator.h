// The whole simulator: its listeners, each with one behaviour below HTTP (TCP, TLS, proxy).
#pragma once

#include <Poco/Net/Context.h>
#include <Poco/ThreadPool.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "certificates.h"
#include "listener.h"
#include "relay.h"
#include "tallies.h"

namespace data_import::vendor_simulator {

class Simulator {
public:
    /// Starts all listeners. Writes the certificates into `directory`; `secret` is the vendor's bearer token.
    Simulator(const std::filesystem::path& directory, std::string secret);

    /// Ports by the names of their listeners, which README.md describes.
    [[nodiscard]] const std::map<std::string, std::uint16_t>& ports() const { return ports_; }
    [[nodiscard]] std::filesystem::path authority() const { return certificates_.authority(); }

private:
    void listen_with_tls();
    void listen_without_tls();
    void listen_between();
    void listen_as_proxy();
    void listen_for_control();
    void add_secure(const std::string& name, const Poco::Net::Context::Ptr& context);
    void add_plain(const std::string& name, Service service);
    void add(const std::string& name, const Poco::Net::ServerSocket& socket, Service service);
    void add_relay(const std::string& name, const Passage& passage);

    void serve(Poco::Net::StreamSocket socket);
    void serve_as_proxy(Poco::Net::StreamSocket socket);
    [[nodiscard]] std::uint16_t port_behind_proxy(const std::string& authority) const;

    Certificates certificates_;
    std::string secret_;
    Tallies tallies_;
    Poco::ThreadPool threads_;
    DeafPort deaf_port_;
    std::map<std::string, std::uint16_t> ports_;
    std::vector<Listener> listeners_;
};

}  // namespace data_import::vendor_simulator
