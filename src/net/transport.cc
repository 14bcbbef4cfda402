#include "net/transport.h"

#include <Poco/Net/NetException.h>
#include <Poco/Net/NetSSL.h>
#include <Poco/Net/RejectCertificateHandler.h>
#include <Poco/Net/SSLException.h>
#include <Poco/Net/SSLManager.h>
#include <Poco/Net/SecureStreamSocket.h>
#include <Poco/Net/SocketAddress.h>
#include <openssl/err.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "net/verification.h"
#include "util/text.h"

namespace data_import::net {

namespace poco = Poco::Net;

namespace {

using std::chrono::microseconds;
using std::chrono::steady_clock;
using Deadline = steady_clock::time_point;

constexpr std::size_t max_proxy_answer = 8192;

Poco::Timespan time_left(Deadline deadline) {
    const auto left = std::chrono::duration_cast<microseconds>(deadline - steady_clock::now());
    if (left <= microseconds(0)) throw Poco::TimeoutException("connecting");
    return Poco::Timespan(left.count());
}

/// Each address gets an equal part of the time that is left, so that the first cannot use all of it up.
Deadline share(Deadline deadline, std::size_t addresses) {
    const auto now = steady_clock::now();
    return now + (deadline - now) / static_cast<long>(addresses);
}

poco::StreamSocket connect(const Server& server, Resolver& resolver, Deadline deadline) {
    const std::vector<poco::IPAddress> addresses = resolver.resolve(server.host, deadline);
    for (std::size_t index = 0;; ++index) {
        const std::size_t left = addresses.size() - index;
        try {
            poco::StreamSocket socket;
            socket.connect(poco::SocketAddress(addresses[index], server.port),
                           time_left(share(deadline, left)));
            socket.setNoDelay(true);
            return socket;
        } catch (const Poco::Exception&) {
            if (left == 1) throw;
        }
    }
}

/// `the proxy HOST:PORT`
std::string name_of_proxy(const Peer& peer) {
    return "the proxy " + authority_of(*peer.proxy);
}

/// Byte by byte: what comes behind the answer belongs to TLS.
std::string read_proxy_answer(poco::StreamSocket& socket, const Peer& peer) {
    std::string answer;
    while (!answer.ends_with("\r\n\r\n")) {
        char byte = 0;
        if (socket.receiveBytes(&byte, 1) != 1 || answer.size() == max_proxy_answer)
            throw NoTunnel(name_of_proxy(peer) + " gave no answer to CONNECT");
        answer += byte;
    }
    return answer;
}

std::string wish_for_user(const Peer& peer) {
    if (!peer.proxy_authorization.empty()) return " does not accept the user and the password";
    return " asks for a user and a password, as in http://USER:PASSWORD@" + authority_of(*peer.proxy);
}

void open_tunnel(poco::StreamSocket& socket, const Peer& peer) {
    const std::string authority = authority_of(peer.server);
    std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
    if (!peer.proxy_authorization.empty())
        request += "Proxy-Authorization: " + peer.proxy_authorization + "\r\n";
    request += "\r\n";
    if (socket.sendBytes(request.data(), static_cast<int>(request.size())) !=
        static_cast<int>(request.size()))
        throw NoTunnel(name_of_proxy(peer) + " took no request");
    const std::string answer = read_proxy_answer(socket, peer);
    const bool is_open = (answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.0 2"));
    if (is_open) return;
    const std::string status = util::is_utf8(answer) ? answer.substr(0, answer.find('\r')) : "";
    const std::string quoted = " (" + status.substr(0, 100) + ")";
    const bool wants_user = status.starts_with("HTTP/1.") && status.substr(8).starts_with(" 407");
    if (wants_user) throw ProxyDenied(name_of_proxy(peer) + wish_for_user(peer) + quoted);
    throw NoTunnel(name_of_proxy(peer) + " refused to connect to " + authority + quoted);
}

/// Through the proxy, if there is one, up to TLS.
poco::StreamSocket connect(const Peer& peer, Resolver& resolver, Deadline deadline) {
    if (!peer.proxy) return connect(peer.server, resolver, deadline);
    try {
        return connect(*peer.proxy, resolver, deadline);
    } catch (const poco::NetException& error) {
        throw NoTunnel(name_of_proxy(peer) + ": " + error.displayText());
    }
}

bool has(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

/// A connection that ends in the middle of a handshake may last longer next time; everything else that
/// OpenSSL complains of is how the two sides are set up.
poco::StreamSocket start_tls(poco::StreamSocket& socket, const Peer& peer) {
    ERR_clear_error();  // errors left by an earlier connection would be taken for this one's
    begin_verification();
    try {
        return poco::SecureStreamSocket::attach(socket, peer.server.host, peer.context);
    } catch (const poco::CertificateValidationException&) {
        throw Untrusted(name_problem(peer.server.host));
    } catch (const poco::SSLConnectionUnexpectedlyClosedException&) {
        throw;
    } catch (const poco::SSLException& error) {
        if (has(error.message(), "unexpected eof")) throw;
        if (has(error.message(), "certificate verify failed")) throw_verification_problem();
        throw NoTls("TLS handshake: " + error.message());
    }
}

/// The watch over everything in its scope.
class Watching {
public:
    Watching(Watchdog::Watch& watch, int socket, Deadline deadline) : watch_(watch) {
        watch_.forget();
        watch_.start(deadline);
        watch_.guard(socket);
    }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;
    ~Watching() { static_cast<void>(watch_.finish()); }

    bool finish() { return watch_.finish(); }

private:
    Watchdog::Watch& watch_;
};

}  // namespace

poco::Context::Ptr make_context(const std::filesystem::path& ca_file) {
    poco::Context::Params parameters;
    parameters.caLocation = ca_file.string();
    parameters.loadDefaultCAs = ca_file.empty();
    parameters.verificationMode = poco::Context::VERIFY_STRICT;
    parameters.cipherList = "HIGH:!aNULL";
    parameters.ecdhCurve = "X25519:P-256:P-384";
    try {
        poco::initializeSSL();
        poco::Context::Ptr context = new poco::Context(poco::Context::TLS_CLIENT_USE, parameters);
        note_verification(context->sslContext());
        context->requireMinimumProtocol(poco::Context::PROTO_TLSV1_2);
        // Poco asks this handler when a certificate does not hold.
        poco::SSLManager::instance().initializeClient(nullptr, new poco::RejectCertificateHandler(false),
                                                      context);
        return context;
    } catch (const Poco::Exception& error) {
        if (ca_file.empty()) throw NoTls("cannot set TLS up: " + error.displayText());
        throw NoTls("cannot use the certificates of " + ca_file.string() +
                    ": it has to be a file in PEM format");
    }
}

poco::StreamSocket open_socket(const Peer& peer, Resolver& resolver, Watchdog::Watch& watch,
                               Deadline deadline) {
    poco::StreamSocket socket = connect(peer, resolver, deadline);
    Watching watching(watch, socket.impl()->sockfd(), deadline);
    try {
        if (peer.proxy) open_tunnel(socket, peer);
        if (peer.context) socket = start_tls(socket, peer);
        if (!watching.finish()) return socket;
    } catch (const std::exception&) {
        if (!watching.finish()) throw;
    }
    throw Poco::TimeoutException("handshake");
}

}  // namespace data_import::net
