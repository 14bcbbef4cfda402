#include "vendor/connection.h"

#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetException.h>
#include <openssl/err.h>

#include <algorithm>
#include <charconv>
#include <istream>
#include <utility>

#include "util/version.h"
#include "vendor/base_url.h"
#include "vendor/chunks.h"
#include "vendor/transport.h"

namespace data_import::vendor {

namespace net = Poco::Net;

namespace {

constexpr std::size_t piece_bytes = 16384;

/// Seconds; a date, which the protocol allows as well, counts as absent.
std::optional<std::chrono::seconds> retry_after(const net::HTTPResponse& response) {
    const std::string text = response.get("Retry-After", "");
    unsigned seconds = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (text.empty() || error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
    return std::chrono::seconds(seconds);
}

void fail(Exchange& result, Failure failure, const std::string& reason) {
    result = {.failure = failure, .reason = reason, .body = {}, .retry_after = {}};
}

}  // namespace

/// Poco's session over a socket that is opened elsewhere: it must never connect by itself, because it would
/// look names up without a deadline.
class Connection::Session : public net::HTTPClientSession {
public:
    explicit Session(const net::Context::Ptr& context) : context_(context) {
        setHost("127.0.0.1");  // never connected to: a session without a host cannot be kept alive
        setKeepAlive(true);
    }

    [[nodiscard]] const net::Context::Ptr& context() const { return context_; }
    /// Not with bytes that nobody has asked for: they would be taken for the next answer. What cannot be
    /// looked at, since the process has no descriptor left for that, is not usable either.
    [[nodiscard]] bool is_usable() {
        try {
            return connected() && buffered() == 0 && !socket().poll(0, net::Socket::SELECT_READ) &&
                   !HTTPClientSession::mustReconnect();
        } catch (const Poco::IOException&) {
            return false;
        }
    }
    void use(const net::StreamSocket& socket) {
        reset();
        attachSocket(socket);
    }
    /// The body of the answer whose headers were just received, unread.
    [[nodiscard]] std::string read_chunks(std::size_t max_bytes) {
        return vendor::read_chunks([this] { return next_byte(); }, max_bytes);
    }
    /// Forgets errors of an exchange that has failed before this one.
    void clear_error() { clearException(); }

protected:
    void connect(const net::SocketAddress&) override {
        throw net::ConnectionResetException("the connection is closed");
    }
    [[nodiscard]] bool mustReconnect() const override { return false; }

private:
    /// get() gives bytes above 0x7F as negative numbers, and 0xFF like the end.
    int next_byte() {
        if (buffered() == 0) peek();
        char byte = 0;
        return buffered() > 0 && read(&byte, 1) == 1 ? static_cast<unsigned char>(byte) : -1;
    }

    net::Context::Ptr context_;
};

Connection::Connection(const Vendor& vendor, std::size_t max_bytes, util::Watchdog& watchdog,
                       Resolver& resolver)
    : vendor_(vendor), max_bytes_(max_bytes), watch_(watchdog), resolver_(resolver) {}

Connection::~Connection() = default;

Exchange Connection::get(const std::string& target, std::string_view request_id, Deadline deadline) {
    const bool is_kept = session_ && session_->is_usable();
    Exchange result = attempt(target, request_id, deadline);
    const bool was_closed = is_kept && result.failure == Failure::broken;
    return was_closed ? attempt(target, request_id, deadline) : result;
}

Exchange Connection::attempt(const std::string& target, std::string_view request_id, Deadline deadline) {
    Exchange result;
    try {
        if (!session_) session_ = std::make_unique<Session>(make_context(vendor_));
        if (!session_->is_usable()) {
            session_ = std::make_unique<Session>(session_->context());  // one with an empty buffer
            const auto connected_by =
                std::min(deadline, std::chrono::steady_clock::now() + vendor_.connect_timeout);
            session_->use(open_socket(vendor_, session_->context(), resolver_, watch_, connected_by));
        }
        watch_.start(deadline);
        exchange(target, request_id, result);
    } catch (const Untrusted& error) {
        fail(result, Failure::untrusted, error.what());
    } catch (const Poco::TimeoutException& error) {
        fail(result, Failure::timed_out, error.displayText());
    } catch (const Poco::Exception& error) {
        fail(result, Failure::broken, error.displayText());
    } catch (const std::system_error& error) {
        fail(result, Failure::broken, error.what());
    }
    if (watch_.finish()) fail(result, Failure::timed_out, "no whole answer in time");
    if (result.failure != Failure::none && session_) {
        session_->reset();
        watch_.forget();
    }
    return result;
}

void Connection::exchange(const std::string& target, std::string_view request_id, Exchange& result) {
    net::HTTPRequest request(net::HTTPRequest::HTTP_GET, target, net::HTTPMessage::HTTP_1_1);
    request.setHost(authority_of(vendor_.server));
    request.set("Accept", "application/json");
    request.set("Authorization", "Bearer " + vendor_.secret);
    request.set("User-Agent", "data-import/" + std::string(util::version));
    request.set("X-Request-Id", std::string(request_id));
    ERR_clear_error();
    session_->clear_error();
    session_->sendRequest(request);
    net::HTTPResponse response;
    std::istream& input = session_->receiveResponse(response);
    result.body =
        response.getChunkedTransferEncoding() ? session_->read_chunks(max_bytes_) : read_body(input);
    if (session_->networkException() != nullptr) session_->networkException()->rethrow();
    if (response.hasContentLength() &&
        static_cast<Poco::Int64>(result.body.size()) != response.getContentLength64()) {
        throw net::MessageException("the answer was cut short");
    }
    result.retry_after = retry_after(response);
    result.status = static_cast<int>(response.getStatus());
}

std::string Connection::read_body(std::istream& input) const {
    std::string body;
    std::string piece(piece_bytes, '\0');
    do {
        input.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        body.append(piece, 0, static_cast<std::size_t>(input.gcount()));
        if (body.size() > max_bytes_) throw net::MessageException("the answer is too long");
    } while (input);
    return body;
}

}  // namespace data_import::vendor
