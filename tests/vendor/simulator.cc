#include "simulator.h"

#include <Poco/Net/SecureServerSocket.h>
#include <openssl/ssl.h>

#include "behaviours.h"
#include "control.h"

namespace data_import::vendor_simulator {

namespace {

using namespace std::chrono_literals;
using Poco::Net::Context;
using Poco::Net::StreamSocket;

constexpr int backlog = 512;
constexpr int stack_bytes = 256 * 1024;

Context::Ptr context_for(const Identity& identity) {
    return new Context(Context::TLS_SERVER_USE, identity.key.string(), identity.certificate.string(), "",
                       Context::VERIFY_NONE);
}

/// A context that offers only TLS 1.1, which OpenSSL allows only at its lowest security level.
Context::Ptr old_context_for(const Identity& identity) {
    Context::Ptr context = context_for(identity);
    SSL_CTX_set_security_level(context->sslContext(), 0);
    SSL_CTX_set_min_proto_version(context->sslContext(), TLS1_VERSION);
    SSL_CTX_set_max_proto_version(context->sslContext(), TLS1_1_VERSION);
    return context;
}

StreamSocket connect_to(std::uint16_t port) {
    return StreamSocket(Poco::Net::SocketAddress("127.0.0.1", port));
}

}  // namespace

Simulator::Simulator(const std::filesystem::path& directory, std::string secret)
    : certificates_(directory), secret_(std::move(secret)), threads_("simulator", 16, 4000, 60, stack_bytes) {
    listen_with_tls();
    listen_without_tls();
    listen_between();
    listen_as_proxy();
    listen_for_control();
    ports_["connect_hangs"] = deaf_port_.port();
}

void Simulator::listen_with_tls() {
    for (const char* name :
         {"good", "expired", "not_yet_valid", "wrong_name", "unknown_authority", "self_signed"}) {
        add_secure(name, context_for(certificates_.identity(name)));
    }
    add_secure("old_tls", old_context_for(certificates_.identity("good")));
}

void Simulator::listen_without_tls() {
    add_plain("plain_http", [](StreamSocket socket) {
        Conversation peer(std::move(socket));
        peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
        peer.close();
    });
    add_plain("closes", [](StreamSocket socket) { Conversation(std::move(socket)).close(); });
    add_plain("resets", [](StreamSocket socket) { Conversation(std::move(socket)).reset(); });
    // This listener never answers the client's handshake. Bytes that the client sends later do not end the
    // connection.
    add_plain("hangs", [](StreamSocket socket) {
        char nothing[4096];
        while (socket.receiveBytes(nothing, sizeof nothing) > 0) continue;
    });
}

/// Adds relays that pass the vendor's handshake on only in part, or slowly.
void Simulator::listen_between() {
    add_relay("handshake_stalls", {.at_most = 100});
    add_relay("handshake_drips", {.pause_per_byte = 50ms});
}

void Simulator::add_relay(const std::string& name, const Passage& passage) {
    const std::uint16_t port = ports_.at("good");
    add_plain(name, [port, passage](StreamSocket socket) { relay(socket, connect_to(port), passage); });
}

void Simulator::listen_as_proxy() {
    add_plain("proxy", [this](StreamSocket socket) { serve_as_proxy(std::move(socket)); });
}

void Simulator::listen_for_control() {
    const Poco::Net::ServerSocket socket(loopback(), backlog);
    ports_["control"] = socket.address().port();
    listeners_.emplace_back(socket, threads_, [this](StreamSocket peer) {
        Conversation conversation(std::move(peer));
        for (;;) serve_control(conversation, conversation.receive(), tallies_);
    });
}

void Simulator::add_secure(const std::string& name, const Context::Ptr& context) {
    add(name, Poco::Net::SecureServerSocket(loopback(), backlog, context),
        [this](StreamSocket socket) { serve(std::move(socket)); });
}

void Simulator::add_plain(const std::string& name, Service service) {
    add(name, Poco::Net::ServerSocket(loopback(), backlog), std::move(service));
}

void Simulator::add(const std::string& name, const Poco::Net::ServerSocket& socket, Service service) {
    ports_[name] = socket.address().port();
    listeners_.emplace_back(socket, threads_, [this, name, service](StreamSocket peer) {
        tallies_.count_connection(name);
        service(std::move(peer));
    });
}

void Simulator::serve(StreamSocket socket) {
    Conversation conversation(std::move(socket));
    for (;;) serve_instruction(conversation, conversation.receive(), secret_, tallies_);
}

/// Returns the port of the vendor that a client asks the proxy for; 0 if the proxy refuses. The good vendor
/// has a name that only the proxy knows.
std::uint16_t Simulator::port_behind_proxy(const std::string& authority) const {
    if (authority == "vendor.test:443") return ports_.at("good");
    for (const auto& [name, port] : ports_) {
        if (authority == "localhost:" + std::to_string(port)) return port;
    }
    return 0;
}

void Simulator::serve_as_proxy(StreamSocket socket) {
    Conversation client(socket);
    const Request request = client.receive();
    if (request.method != "CONNECT") return client.reply(405, "");
    if (request.target == "silent.test:443") client.wait_until_gone();
    const std::uint16_t port = port_behind_proxy(request.target);
    if (port == 0) return client.reply(403, "");
    client.send("HTTP/1.1 200 Connection established\r\n\r\n");
    relay(socket, connect_to(port), {});
}

}  // namespace data_import::vendor_simulator
