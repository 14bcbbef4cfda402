// TCP and TLS to a server, by a deadline.
#pragma once

#include <Poco/Net/Context.h>
#include <Poco/Net/StreamSocket.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/net/resolver.h"
#include "base/net/server.h"
#include "base/net/watchdog.h"

namespace data_import::net {

/// TLS is not possible with this server, and a retry will not help.
class NoTls : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The server's certificate is not accepted: it has expired, is not valid yet, or is for another name.
/// `what()` says which.
class Untrusted : public NoTls {
public:
    using NoTls::NoTls;
};

/// The certificate's authority is not among the trusted ones.
class UnknownAuthority : public Untrusted {
public:
    using Untrusted::Untrusted;
};

/// The proxy makes no connection to the server. `what()` names the proxy and says why.
class NoTunnel : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The proxy wants a user and a password, or rejects the given ones. A retry will not help.
class ProxyDenied : public NoTunnel {
public:
    using NoTunnel::NoTunnel;
};

/// The server to connect to, with or without TLS, directly or through a proxy.
struct Peer {
    Server server;
    Poco::Net::Context::Ptr context;  ///< context of TLS; null: the connection has no TLS
    std::optional<Server> proxy;  ///< the proxy that takes CONNECT; nothing: the server is reached directly
    std::string proxy_authorization = {};  ///< value of the header Proxy-Authorization; empty: no header
};

/// Makes a context for TLS 1.2 or newer. It verifies the chain and the name of the server's certificate, by
/// `ca_file` or, if that is empty, by the system's certificates. Throws NoTls.
[[nodiscard]] Poco::Net::Context::Ptr make_context(const std::filesystem::path& ca_file);

/// Connects to the peer, through its proxy if it has one, and completes the TLS handshake. `watch` ends the
/// handshakes at the deadline. Throws NoTls, NoTunnel, Poco::TimeoutException, other Poco::Exception,
/// std::system_error.
[[nodiscard]] Poco::Net::StreamSocket open_socket(const Peer& peer, Resolver& resolver,
                                                  Watchdog::Watch& watch,
                                                  std::chrono::steady_clock::time_point deadline);

}  // namespace data_import::net
