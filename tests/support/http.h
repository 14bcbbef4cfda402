// One HTTP/1.1 connection of a test to the stack, byte by byte: it sends exactly the bytes of the test, and
// parses answers strictly.
#pragma once

#include <Poco/Net/StreamSocket.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data_import::tests {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

struct Answer {
    int status = 0;  ///< 0: the peer closed without an answer
    HeaderList headers;
    std::string body;
    bool complete = false;  ///< the body ended where Content-Length or the last chunk said

    /// The value of a header, whatever the case of its name.
    [[nodiscard]] std::optional<std::string> header(std::string_view name) const;
};

/// A request, which is sent with `headers` only. to_bytes() may add Content-Length.
struct HttpRequest {
    std::string method = "GET";
    std::string target = "/";
    HeaderList headers;
    std::string body;
};

/// The bytes on the wire; Content-Length is added if there is a body and the headers lack it.
[[nodiscard]] std::string to_bytes(const HttpRequest& request);

/// A connection to 127.0.0.1. Throws Poco exceptions on failures to connect and on time-outs.
class HttpConnection {
public:
    /// TLS, with the peer's certificate checked against `ca_file`.
    HttpConnection(std::uint16_t port, const std::string& ca_file);
    /// TLS from `own_address`, another address of this host: 127.0.0.2 and the following are all loopback.
    HttpConnection(std::uint16_t port, const std::string& ca_file, const std::string& own_address);
    /// Plain TCP.
    explicit HttpConnection(std::uint16_t port);

    /// Sends as much as the peer takes. A peer that has closed already is no error: receive() still reads its
    /// answer.
    void send(std::string_view bytes);
    /// Returns the next answer. With `head`, the answer has no body, whatever its headers say.
    [[nodiscard]] Answer receive(bool head = false);
    [[nodiscard]] Answer ask(const HttpRequest& request);

    void set_timeout(std::chrono::milliseconds timeout);
    [[nodiscard]] Poco::Net::StreamSocket& socket() { return socket_; }

private:
    bool fill();
    std::optional<std::string> take_line();
    bool take(std::size_t count, std::string& target);
    bool take_chunks(std::string& target);
    void receive_body(Answer& answer);

    Poco::Net::StreamSocket socket_;
    std::string buffer_;
    std::size_t begin_ = 0;
};

}  // namespace data_import::tests
