#include "connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace data_import::bench {

namespace {

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

SSL_CTX* context() {
    static SSL_CTX* const shared = [] {
        SSL_CTX* made = ::SSL_CTX_new(::TLS_client_method());
        if (made == nullptr) throw std::runtime_error("no TLS");
        ::SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        ::SSL_CTX_set_read_ahead(made, 1);
        return made;
    }();
    return shared;
}

sockaddr_in address_of(const std::string& host, std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = ::htons(port);
    if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1)
        throw std::runtime_error(host + " is no address");
    return address;
}

void set_option(int socket, int level, int name, int value) {
    if (::setsockopt(socket, level, name, &value, sizeof(value)) != 0)
        fail("cannot set an option of a socket");
}

util::FileDescriptor make_socket(const Place& place) {
    util::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
    if (!socket) fail("cannot make a socket");
    set_option(socket.get(), IPPROTO_TCP, TCP_NODELAY, 1);
    // chooses the port at connect(): a port chosen at bind() could serve only one connection
    set_option(socket.get(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
    if (place.receive_buffer > 0) set_option(socket.get(), SOL_SOCKET, SO_RCVBUF, place.receive_buffer);
    const sockaddr_in source = address_of(place.source, 0);
    if (::bind(socket.get(), reinterpret_cast<const sockaddr*>(&source), sizeof(source)) != 0)
        fail("cannot bind " + place.source);
    return socket;
}

}  // namespace

// Marks the connection as shut down, since OpenSSL does not resume the session of a connection that was cut
// off.
void Connection::TlsDeleter::operator()(SSL* tls) const {
    ::SSL_set_shutdown(tls, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN);
    ::SSL_free(tls);
}

void Connection::trust(const std::string& ca_file) {
    if (::SSL_CTX_load_verify_locations(context(), ca_file.c_str(), nullptr) != 1)
        throw std::runtime_error("cannot read " + ca_file);
    ::SSL_CTX_set_verify(context(), SSL_VERIFY_PEER, nullptr);
}

Connection::Connection(const Place& place, SSL_SESSION* session)
    : socket_(make_socket(place)), tls_(::SSL_new(context())) {
    if (!tls_ || ::SSL_set_fd(tls_.get(), socket_.get()) != 1) throw std::runtime_error("no TLS connection");
    if (session != nullptr) ::SSL_set_session(tls_.get(), session);
    ::SSL_set_connect_state(tls_.get());
    const sockaddr_in server = address_of("127.0.0.1", place.port);
    const int result = ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&server), sizeof(server));
    // the handshake will show any other failure
    if (result != 0 && errno == EADDRNOTAVAIL) fail("no port is left");
}

Step Connection::open() {
    ::ERR_clear_error();
    const int result = ::SSL_do_handshake(tls_.get());
    return result == 1 ? Step::done : step_of(result);
}

Step Connection::write(std::string_view bytes, std::size_t& written) {
    ::ERR_clear_error();
    std::size_t count = 0;
    const int result = ::SSL_write_ex(tls_.get(), bytes.data(), bytes.size(), &count);
    written += count;
    return result == 1 ? Step::done : step_of(result);
}

Step Connection::read(std::size_t most, std::string_view& bytes) {
    static std::array<char, 16 * 1024> buffer;  // shared, since there is only one thread
    ::ERR_clear_error();
    std::size_t count = 0;
    const int result = ::SSL_read_ex(tls_.get(), buffer.data(), std::min(most, buffer.size()), &count);
    bytes = {buffer.data(), count};
    return result == 1 ? Step::done : step_of(result);
}

Step Connection::step_of(int result) const {
    const int error = ::SSL_get_error(tls_.get(), result);
    // errno is ENOTCONN until the TCP connection is established
    if (error == SSL_ERROR_SYSCALL && (errno == ENOTCONN || errno == EAGAIN)) return Step::later;
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE ? Step::later : Step::broken;
}

}  // namespace data_import::bench
