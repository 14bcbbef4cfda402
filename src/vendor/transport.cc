#include "vendor/transport.h"

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
#include <vector>

#include "vendor/base_url.h"

namespace data_import::vendor {

namespace net = Poco::Net;

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

net::StreamSocket connect(const Server& server, Resolver& resolver, Deadline deadline) {
    const std::vector<net::IPAddress> addresses = resolver.resolve(server.host, deadline);
    for (std::size_t index = 0;; ++index) {
        const std::size_t left = addresses.size() - index;
        try {
            net::StreamSocket socket;
            socket.connect(net::SocketAddress(addresses[index], server.port),
                           time_left(share(deadline, left)));
            socket.setNoDelay(true);
            return socket;
        } catch (const Poco::Exception&) {
            if (left == 1) throw;
        }
    }
}

/// Byte by byte: what comes behind the answer belongs to TLS.
std::string read_proxy_answer(net::StreamSocket& socket) {
    std::string answer;
    while (!answer.ends_with("\r\n\r\n")) {
        char byte = 0;
        if (socket.receiveBytes(&byte, 1) != 1 || answer.size() == max_proxy_answer)
            throw net::NetException("the proxy gave no answer to CONNECT");
        answer += byte;
    }
    return answer;
}

void open_tunnel(net::StreamSocket& socket, const Server& server) {
    const std::string authority = authority_of(server);
    const std::string request = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n\r\n";
    if (socket.sendBytes(request.data(), static_cast<int>(request.size())) !=
        static_cast<int>(request.size()))
        throw net::NetException("the proxy took no request");
    const std::string answer = read_proxy_answer(socket);
    const bool is_open = (answer.starts_with("HTTP/1.1 2") || answer.starts_with("HTTP/1.0 2"));
    if (!is_open) throw net::NetException("the proxy refused to connect");
}

/// A connection that ends in the middle of a handshake may last longer next time; everything else that
/// OpenSSL complains of is how the two sides are set up.
bool is_lost_connection(const std::string& message) {
    return message.find("unexpected eof") != std::string::npos;
}

net::StreamSocket start_tls(net::StreamSocket& socket, const Vendor& vendor,
                            const net::Context::Ptr& context) {
    ERR_clear_error();  // what an earlier connection has left there would be taken for this one's
    try {
        return net::SecureStreamSocket::attach(socket, vendor.server.host, context);
    } catch (const net::CertificateValidationException&) {
        throw Untrusted("the certificate is not for " + vendor.server.host);
    } catch (const net::SSLConnectionUnexpectedlyClosedException&) {
        throw;
    } catch (const net::SSLException& error) {
        if (is_lost_connection(error.message())) throw;
        throw Untrusted("TLS handshake: " + error.message());
    }
}

/// The watch over everything in its scope.
class Watching {
public:
    Watching(util::Watchdog::Watch& watch, int socket, Deadline deadline) : watch_(watch) {
        watch_.forget();
        watch_.start(deadline);
        watch_.guard(socket);
    }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;
    ~Watching() { static_cast<void>(watch_.finish()); }

    bool finish() { return watch_.finish(); }

private:
    util::Watchdog::Watch& watch_;
};

}  // namespace

net::Context::Ptr make_context(const Vendor& vendor) {
    net::Context::Params parameters;
    parameters.caLocation = vendor.ca_file.string();
    parameters.loadDefaultCAs = vendor.ca_file.empty();
    parameters.verificationMode = net::Context::VERIFY_STRICT;
    parameters.cipherList = "HIGH:!aNULL";
    parameters.ecdhCurve = "X25519:P-256:P-384";
    try {
        net::initializeSSL();
        net::Context::Ptr context = new net::Context(net::Context::TLS_CLIENT_USE, parameters);
        context->requireMinimumProtocol(net::Context::PROTO_TLSV1_2);
        // what Poco asks when a certificate does not hold
        net::SSLManager::instance().initializeClient(nullptr, new net::RejectCertificateHandler(false),
                                                     context);
        return context;
    } catch (const Poco::Exception& error) {
        throw Untrusted("TLS cannot be set up: " + error.message());
    }
}

net::StreamSocket open_socket(const Vendor& vendor, const net::Context::Ptr& context, Resolver& resolver,
                              util::Watchdog::Watch& watch, Deadline deadline) {
    const Server& first = vendor.proxy ? *vendor.proxy : vendor.server;
    net::StreamSocket socket = connect(first, resolver, deadline);
    Watching watching(watch, socket.impl()->sockfd(), deadline);
    try {
        if (vendor.proxy) open_tunnel(socket, vendor.server);
        net::StreamSocket secure = start_tls(socket, vendor, context);
        if (!watching.finish()) return secure;
    } catch (const std::exception&) {
        if (!watching.finish()) throw;
    }
    throw Poco::TimeoutException("handshake");
}

}  // namespace data_import::vendor
