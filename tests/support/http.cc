#include "http.h"

#include <Poco/Exception.h>
#include <Poco/Net/Context.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/SecureStreamSocket.h>
#include <Poco/Net/StreamSocketImpl.h>
#include <Poco/String.h>

#include <map>
#include <mutex>

namespace data_import::tests {

namespace {

constexpr std::size_t chunk_of_reading = 65536;

/// Contexts are kept: reading the CA for each connection would cost more than the connection.
Poco::Net::Context::Ptr context_for(const std::string& ca_file) {
    static std::mutex mutex;
    static std::map<std::string, Poco::Net::Context::Ptr> contexts;
    const std::lock_guard<std::mutex> lock(mutex);
    Poco::Net::Context::Ptr& context = contexts[ca_file];
    if (context.isNull()) {
        context = new Poco::Net::Context(Poco::Net::Context::TLS_CLIENT_USE, "", "", ca_file,
                                         Poco::Net::Context::VERIFY_STRICT, 9, false);
    }
    return context;
}

Poco::Net::StreamSocket connect_secure(std::uint16_t port, const std::string& ca_file) {
    const Poco::Net::SocketAddress address("127.0.0.1", port);
    return Poco::Net::SecureStreamSocket(address, "localhost", context_for(ca_file));
}

Poco::Net::StreamSocket connect_secure_from(std::uint16_t port, const std::string& ca_file,
                                            const std::string& own_address) {
    Poco::Net::StreamSocket socket;
    socket.impl()->bind(Poco::Net::SocketAddress(own_address, 0), true);
    socket.connect(Poco::Net::SocketAddress("127.0.0.1", port));
    return Poco::Net::SecureStreamSocket::attach(socket, "localhost", context_for(ca_file));
}

void append_header(const std::string& line, HeaderList& headers) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) throw Poco::DataFormatException("a header without a colon: " + line);
    headers.emplace_back(line.substr(0, colon), Poco::trim(line.substr(colon + 1)));
}

int status_of(const std::string& line) {
    if (line.rfind("HTTP/1.1 ", 0) != 0)
        throw Poco::DataFormatException("no status line: " + line.substr(0, 80));
    return std::stoi(line.substr(9, 3));
}

}  // namespace

std::optional<std::string> Answer::header(std::string_view name) const {
    for (const auto& [key, value] : headers) {
        if (Poco::icompare(key, std::string(name)) == 0) return value;
    }
    return std::nullopt;
}

std::string to_bytes(const HttpRequest& request) {
    std::string bytes = request.method + ' ' + request.target + " HTTP/1.1\r\n";
    bool has_length = request.body.empty() && request.method != "POST";
    for (const auto& [name, value] : request.headers) {
        bytes += name + ": " + value + "\r\n";
        has_length |=
            Poco::icompare(name, "Content-Length") == 0 || Poco::icompare(name, "Transfer-Encoding") == 0;
    }
    if (!has_length) bytes += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
    return bytes + "\r\n" + request.body;
}

HttpConnection::HttpConnection(std::uint16_t port, const std::string& ca_file)
    : socket_(connect_secure(port, ca_file)) {
    set_timeout(std::chrono::seconds(60));
    socket_.setNoDelay(true);
}

HttpConnection::HttpConnection(std::uint16_t port, const std::string& ca_file, const std::string& own_address)
    : socket_(connect_secure_from(port, ca_file, own_address)) {
    set_timeout(std::chrono::seconds(60));
    socket_.setNoDelay(true);
}

HttpConnection::HttpConnection(std::uint16_t port) : socket_(Poco::Net::SocketAddress("127.0.0.1", port)) {
    set_timeout(std::chrono::seconds(60));
}

void HttpConnection::set_timeout(std::chrono::milliseconds timeout) {
    socket_.setReceiveTimeout(Poco::Timespan(timeout.count() * 1000));
    socket_.setSendTimeout(Poco::Timespan(timeout.count() * 1000));
}

void HttpConnection::send(std::string_view bytes) {
    constexpr std::size_t largest_write = 1 << 20;
    try {
        while (!bytes.empty()) {
            const int sent =
                socket_.sendBytes(bytes.data(), static_cast<int>(std::min(bytes.size(), largest_write)));
            if (sent <= 0) return;
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
    } catch (const Poco::Net::NetException&) {
        // the peer has closed the connection; receive() still reads what the peer sent before it closed
    } catch (const Poco::IOException&) {
    }
}

bool HttpConnection::fill() {
    if (begin_ == buffer_.size()) {
        buffer_.clear();
        begin_ = 0;
    }
    char piece[chunk_of_reading];
    try {
        const int count = socket_.receiveBytes(piece, sizeof piece);
        if (count <= 0) return false;
        buffer_.append(piece, static_cast<std::size_t>(count));
        return true;
    } catch (const Poco::TimeoutException&) {
        throw;
    } catch (const Poco::IOException&) {
        return false;  // a reset ends the answer, as an orderly end does
    }
}

std::optional<std::string> HttpConnection::take_line() {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n", begin_)) == std::string::npos) {
        if (!fill()) return std::nullopt;
    }
    std::string line = buffer_.substr(begin_, end - begin_);
    begin_ = end + 2;
    return line;
}

bool HttpConnection::take(std::size_t count, std::string& target) {
    while (count > 0) {
        if (begin_ == buffer_.size() && !fill()) return false;
        const std::size_t piece = std::min(count, buffer_.size() - begin_);
        target.append(buffer_, begin_, piece);
        begin_ += piece;
        count -= piece;
    }
    return true;
}

bool HttpConnection::take_chunks(std::string& target) {
    while (const std::optional<std::string> line = take_line()) {
        const std::size_t size = std::stoul(*line, nullptr, 16);
        if (size > 0 && !take(size, target)) return false;
        const std::optional<std::string> end = take_line();
        if (!end) return false;
        if (size == 0) return true;
    }
    return false;
}

void HttpConnection::receive_body(Answer& answer) {
    if (answer.header("Transfer-Encoding").value_or("") == "chunked") {
        answer.complete = take_chunks(answer.body);
    } else if (const std::optional<std::string> length = answer.header("Content-Length")) {
        answer.complete = take(std::stoul(*length), answer.body);
    } else {
        while (take(1, answer.body)) continue;
    }
}

Answer HttpConnection::receive(bool head) {
    Answer answer;
    std::optional<std::string> line = take_line();
    if (!line) return answer;
    answer.status = status_of(*line);
    while ((line = take_line()) && !line->empty()) append_header(*line, answer.headers);
    if (!line) throw Poco::DataFormatException("the answer ends within its headers");
    if (answer.status == 100) return receive(head);
    if (head || answer.status == 204 || answer.status == 304) {
        answer.complete = true;
    } else {
        receive_body(answer);
    }
    return answer;
}

Answer HttpConnection::ask(const HttpRequest& request) {
    send(to_bytes(request));
    return receive(request.method == "HEAD");
}

}  // namespace data_import::tests
