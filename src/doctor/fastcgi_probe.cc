#include "doctor/fastcgi_probe.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace data_import::doctor {

namespace {

// FastCGI specification 1.0, section 8.
constexpr char version = 1;
constexpr char begin_request = 1;
constexpr char parameters = 4;
constexpr char standard_input = 5;
constexpr unsigned char standard_output = 6;
constexpr unsigned char end_request = 3;
constexpr std::size_t header_bytes = 8;
constexpr std::size_t longest_answer = 4 * 1024 * 1024;

class Connection {
public:
    Connection(const std::filesystem::path& path, std::chrono::seconds limit)
        : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const timeval time{limit.count(), 0};
        setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
        setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &time, sizeof time);
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.string().copy(address.sun_path, sizeof address.sun_path - 1);
        if (connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return;
        const int error = errno;
        close(socket_);
        throw NotConnected(error);
    }
    ~Connection() { close(socket_); }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] pid_t listener() const {
        ucred peer{};
        socklen_t size = sizeof peer;
        return getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.pid : 0;
    }

    void send(const std::string& bytes) const {
        static_cast<void>(::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL));
    }

    [[nodiscard]] std::string receive_all() const {
        std::string text;
        std::array<char, 65536> piece{};
        for (ssize_t count = 0;
             text.size() < longest_answer && (count = recv(socket_, piece.data(), piece.size(), 0)) > 0;) {
            text.append(piece.data(), static_cast<std::size_t>(count));
        }
        return text;
    }

private:
    int socket_;
};

/// One record of request 1; the content is shorter than 64 KiB.
std::string record(char type, const std::string& content) {
    const std::size_t length = content.size();
    return std::string{version, type, 0, 1, static_cast<char>(length >> 8), static_cast<char>(length & 0xFF),
                       0,       0} +
           content;
}

/// A pair of at most 127 bytes each.
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

/// The answer in the records; empty if the end of the request did not come.
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

NotConnected::NotConnected(int error) : std::runtime_error(std::strerror(error)), error_(error) {}

SocketAnswer ask_socket(const std::filesystem::path& socket, const std::string& uri,
                        std::chrono::seconds limit) {
    const Connection connection(socket, limit);
    connection.send(request(uri));
    return {standard_output_of(connection.receive_all()), connection.listener()};
}

}  // namespace data_import::doctor
