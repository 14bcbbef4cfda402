#include "tools/doctor/pool_connection.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace data_import::doctor {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Constants of the FastCGI specification 1.0, section 8.
constexpr char version = 1;
constexpr char begin_request = 1;
constexpr char parameters = 4;
constexpr char standard_input = 5;
constexpr unsigned char standard_output = 6;
constexpr unsigned char end_request = 3;
constexpr std::size_t header_bytes = 8;
constexpr std::size_t longest_answer = 4 * 1024 * 1024;

/// Returns a FastCGI record of the request with the number 1. The content has to be shorter than 64 KiB.
std::string record(char type, const std::string& content) {
    const std::size_t length = content.size();
    return std::string{version, type, 0, 1, static_cast<char>(length >> 8), static_cast<char>(length & 0xFF),
                       0,       0} +
           content;
}

/// Returns name and value in FastCGI's form; each has at most 127 bytes.
std::string pair(const std::string& name, const std::string& value) {
    return std::string{static_cast<char>(name.size()), static_cast<char>(value.size())} + name + value;
}

std::string request(const std::string& uri) {
    constexpr char responder = 1;
    return record(begin_request, std::string{0, responder, 0, 0, 0, 0, 0, 0}) +
           record(parameters,
                  pair("REQUEST_METHOD", "GET") + pair("REQUEST_URI", uri) + pair("CONTENT_LENGTH", "0")) +
           record(parameters, "") + record(standard_input, "");
}

/// Returns the content of all FastCGI records of the type FCGI_STDOUT in `bytes`; empty if the FastCGI record
/// FCGI_END_REQUEST, which ends the request, is missing.
std::string standard_output_of(const std::string& bytes) {
    std::string text;
    for (std::size_t at = 0; at + header_bytes <= bytes.size();) {
        const auto byte = [&](std::size_t place) { return static_cast<unsigned char>(bytes[at + place]); };
        const std::size_t length = static_cast<std::size_t>(byte(4) << 8 | byte(5));
        if (byte(1) == standard_output) text += bytes.substr(at + header_bytes, length);
        if (byte(1) == end_request) return text;
        at += header_bytes + length + byte(6);
    }
    return "";
}

}  // namespace

PoolConnection::PoolConnection(const std::filesystem::path& path, Clock::time_point end)
    : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), end_(end) {
    limit(SO_SNDTIMEO);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
    const int error = errno;
    close(socket_);
    throw NotConnected(error);
}

PoolConnection::~PoolConnection() {
    close(socket_);
}

pid_t PoolConnection::listener() const {
    ucred peer{};
    socklen_t size = sizeof peer;
    return getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
}

void PoolConnection::ask(const std::string& uri) const {
    const std::string bytes = request(uri);
    static_cast<void>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

std::string PoolConnection::answer() const {
    return standard_output_of(receive_all());
}

std::string PoolConnection::receive_all() const {
    std::string text;
    std::array<char, 65536> piece{};
    for (ssize_t count = 0;
         text.size() < longest_answer && (count = receive(piece.data(), piece.size())) > 0;) {
        text.append(piece.data(), static_cast<std::size_t>(count));
    }
    return text;
}

/// Limits the next system call on the socket to the time that is left until `end_`, or to 1 ms if less is
/// left. `option` is SO_SNDTIMEO for connecting and sending, and SO_RCVTIMEO for receiving.
///
/// The limit is at least 1 ms, so that bytes that have arrived are read even after the end.
void PoolConnection::limit(int option) const {
    const auto left = std::max<Clock::duration>(end_ - Clock::now(), 1ms);
    const auto whole = std::chrono::floor<std::chrono::seconds>(left);
    const timeval time{whole.count(), std::chrono::floor<std::chrono::microseconds>(left - whole).count()};
    setsockopt(socket_, SOL_SOCKET, option, &time, sizeof time);
}

ssize_t PoolConnection::receive(char* bytes, std::size_t size) const {
    limit(SO_RCVTIMEO);
    return recv(socket_, bytes, size, 0);
}

}  // namespace data_import::doctor
