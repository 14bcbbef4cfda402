#include "conversation.h"

#include <Poco/String.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

namespace data_import::vendor_simulator {

namespace {

constexpr std::size_t largest_head = 64 * 1024;

std::string reason_of(int status) {
    static const std::map<int, std::string> reasons = {{200, "OK"},
                                                       {302, "Found"},
                                                       {401, "Unauthorized"},
                                                       {403, "Forbidden"},
                                                       {404, "Not Found"},
                                                       {410, "Gone"},
                                                       {429, "Too Many Requests"},
                                                       {500, "Internal Server Error"},
                                                       {503, "Service Unavailable"}};
    const auto found = reasons.find(status);
    return found == reasons.end() ? "Status" : found->second;
}

Request parse(const std::string& head) {
    std::istringstream lines(head);
    std::string line;
    std::getline(lines, line);
    Request request;
    std::istringstream(line) >> request.method >> request.target;
    if (request.target.empty()) throw Ended{};
    while (std::getline(lines, line)) {
        const std::size_t colon = line.find(':');
        if (colon == std::string::npos) continue;
        request.headers[Poco::toLower(line.substr(0, colon))] = Poco::trim(line.substr(colon + 1));
    }
    return request;
}

}  // namespace

Conversation::Conversation(Poco::Net::StreamSocket socket) : socket_(std::move(socket)) {
    socket_.setNoDelay(true);
}

bool Conversation::fill() {
    char piece[4096];
    const int count = socket_.receiveBytes(piece, sizeof piece);
    if (count > 0) buffer_.append(piece, static_cast<std::size_t>(count));
    return count > 0 && buffer_.size() <= largest_head;
}

Request Conversation::receive() {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
        if (!fill()) throw Ended{};
    }
    const std::string head = buffer_.substr(0, end + 2);
    buffer_.erase(0, end + 4);
    return parse(head);
}

void Conversation::send(std::string_view bytes) {
    while (!bytes.empty()) {
        const int sent = socket_.sendBytes(bytes.data(), static_cast<int>(bytes.size()));
        if (sent <= 0) throw Ended{};
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void Conversation::reply(int status, std::string_view body, std::string_view type,
                         std::string_view more_headers) {
    std::ostringstream text;
    text << "HTTP/1.1 " << status << ' ' << reason_of(status) << "\r\n";
    if (!body.empty()) text << "Content-Type: " << type << "\r\n";
    text << "Content-Length: " << body.size() << "\r\n" << more_headers << "\r\n" << body;
    send(text.str());
}

void Conversation::wait(std::chrono::milliseconds time) {
    pollfd peer{.fd = socket_.impl()->sockfd(), .events = POLLIN | POLLRDHUP, .revents = 0};
    if (::poll(&peer, 1, static_cast<int>(time.count())) != 0) throw Ended{};
}

void Conversation::wait_until_gone() {
    for (;;) wait(std::chrono::hours(1));
}

void Conversation::send_for_ever(std::string_view piece, std::chrono::milliseconds pause) {
    for (;;) {
        send(piece);
        wait(pause);
    }
}

void Conversation::close() {
    socket_.shutdown();
    throw Ended{};
}

void Conversation::cut() {
    ::shutdown(socket_.impl()->sockfd(), SHUT_RDWR);
    throw Ended{};
}

// Closes the socket without Poco, which would send close_notify of TLS first. dup3() replaces the socket at
// its descriptor. The kernel then sends an RST, because the linger time is 0.
void Conversation::reset() {
    const int descriptor = socket_.impl()->sockfd();
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup3(nothing, descriptor, O_CLOEXEC);
    ::close(nothing);
    throw Ended{};
}

}  // namespace data_import::vendor_simulator
