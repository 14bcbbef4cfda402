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

/// The server's certificate does not hold: it has expired, is not valid yet, or is for another name. `what()`
/// says which.
class Untrusted : public NoTls {
public:
    using NoTls::NoTls;
};

/// The certificate's authority is not among the trusted ones.
class UnknownAuthority : public Untrusted {
public:
    using Untrusted::Untrusted;
};

/// The proxy does not lead to the server. `what()` names it and says why.
class NoTunnel : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The proxy wants a user and a password, or others than it was given. A retry will not help.
class ProxyDenied : public NoTunnel {
public:
    using NoTunnel::NoTunnel;
};

/// The far end of a connection, and the way there.
struct Peer {
    Server server;
    Poco::Net::Context::Ptr context;  ///< null: without TLS
    std::optional<Server> proxy;  ///< the proxy that takes CONNECT; nothing: the server is reached directly
    std::string proxy_authorization = {};  ///< value of Proxy-Authorization; empty for none
};

/// Makes a context for TLS 1.2 at least. Chain and name are verified, by the CA file or, without one, by the
/// system's certificates. Throws NoTls.
[[nodiscard]] Poco::Net::Context::Ptr make_context(const std::filesystem::path& ca_file);

/// Opens a socket to the peer, up to the end of the handshake. `watch` guards it from its first moment, and
/// is stopped at the end. Throws NoTls, NoTunnel, Poco::TimeoutException, other Poco::Exception,
/// std::system_error.
[[nodiscard]] Poco::Net::StreamSocket open_socket(const Peer& peer, Resolver& resolver,
                                                  Watchdog::Watch& watch,
                                                  std::chrono::steady_clock::time_point deadline);

}  // namespace data_import::net
