#include "base/net/connection.h"

#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetException.h>
#include <openssl/err.h>

#include <algorithm>
#include <istream>
#include <ostream>

#include "base/net/chunks.h"
#include "base/net/coding.h"
#include "base/net/retry_after.h"

namespace data_import::net {

namespace poco = Poco::Net;

namespace {

constexpr std::size_t piece_bytes = 16384;

/// Makes the exchange a failure. Parts of an answer that have come already are dropped.
void fail(Exchange& result, ExchangeFailure failure, const std::string& reason) {
    result = {.failure = failure, .reason = reason, .sent = result.sent, .begun = result.begun};
}

poco::HTTPRequest with_headers(const Request& request, const Server& server) {
    poco::HTTPRequest headers(request.method, request.target, poco::HTTPMessage::HTTP_1_1);
    headers.setHost(server.host, server.port);
    headers.set("Accept", "application/json");
    for (const auto& [name, value] : request.headers) headers.set(name, value);
    if (!request.body.empty()) {
        if (!headers.has("Content-Type")) headers.setContentType("application/json");
        headers.setContentLength64(static_cast<Poco::Int64>(request.body.size()));
    }
    return headers;
}

std::size_t pass_pieces(std::istream& input, const std::function<void(std::string_view)>& receive) {
    std::string piece(piece_bytes, '\0');
    std::size_t bytes = 0;
    do {
        input.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        const auto count = static_cast<std::size_t>(input.gcount());
        bytes += count;
        if (count > 0) receive(std::string_view(piece).substr(0, count));
    } while (input);
    return bytes;
}

std::string read_pieces(std::istream& input, std::size_t max_bytes) {
    std::string body;
    pass_pieces(input, [&](std::string_view piece) {
        body += piece;
        if (body.size() > max_bytes) throw poco::MessageException("the answer is too long");
    });
    return body;
}

bool is_interim(const poco::HTTPResponse& response) {
    const int status = response.getStatus();
    return status >= 100 && status < 200 && status != poco::HTTPResponse::HTTP_SWITCHING_PROTOCOLS;
}

/// Copies into `result` the status of an answer, and the headers for which Exchange has members.
void note_head(const poco::HTTPResponse& response, Exchange& result) {
    result.retry_after = retry_after(response.get("Retry-After", ""), response.get("Date", ""));
    result.request_id = response.get("X-Request-Id", "");
    result.content_type = response.get("Content-Type", "");
    result.location = response.get("Location", "");
    result.server = response.get("Server", "");
    result.status = static_cast<int>(response.getStatus());
}

}  // namespace

/// Poco's session over a socket that is opened elsewhere. It must never connect by itself, because it would
/// look names up without a deadline.
class Connection::Session : public poco::HTTPClientSession {
public:
    explicit Session(const poco::StreamSocket& socket) {
        setHost("127.0.0.1");  // never connected to, but a session without a host cannot be kept alive
        setKeepAlive(true);
        attachSocket(socket);
    }

    /// Returns whether the next request can use this connection. It cannot if there are bytes that nobody has
    /// asked for, because they would be taken for the answer. False, too, if poll() fails because the process
    /// has no descriptor left.
    [[nodiscard]] bool is_usable() {
        try {
            return connected() && buffered() == 0 && !socket().poll(0, poco::Socket::SELECT_READ) &&
                   !HTTPClientSession::mustReconnect();
        } catch (const Poco::IOException&) {
            return false;
        }
    }
    /// Reads the body of the answer whose headers were just received.
    [[nodiscard]] std::string read_chunks(std::size_t max_bytes) {
        return net::read_chunks(reading(), max_bytes);
    }
    void pass_chunks(const std::function<void(std::string_view)>& receive) {
        net::pass_chunks(reading(), receive);
    }
    /// Forgets the exchange before this one, and its errors.
    void begin() {
        clearException();
        has_written_ = false;
    }
    [[nodiscard]] bool has_written() const { return has_written_; }
    /// Receives the answer after all interim ones, of which there may be any number (RFC 9110, section 15.2).
    [[nodiscard]] std::istream& receive_final(poco::HTTPResponse& response) {
        std::istream* input = &receiveResponse(response);
        while (is_interim(response)) input = &receiveResponse(response);
        return *input;
    }

protected:
    void connect(const poco::SocketAddress&) override {
        throw poco::ConnectionResetException("the connection is closed");
    }
    [[nodiscard]] bool mustReconnect() const override { return false; }

    int write(const char* bytes, std::streamsize length) override {
        const int written = HTTPClientSession::write(bytes, length);
        has_written_ = true;
        return written;
    }

private:
    ReadBytes reading() {
        return [this](char* buffer, std::size_t size) {
            if (buffered() == 0) peek();
            const int count = buffered() > 0 ? read(buffer, static_cast<std::streamsize>(size)) : 0;
            return static_cast<std::size_t>(std::max(count, 0));
        };
    }

    bool has_written_ = false;
};

Connection::Connection(Peer peer, Limits limits, Watchdog& watchdog, Resolver& resolver)
    : peer_(std::move(peer)), limits_(limits), watch_(watchdog), resolver_(resolver) {}

Connection::~Connection() = default;

Exchange Connection::send(const Request& request, Deadline deadline) {
    const bool is_kept = session_ && session_->is_usable();
    if (!is_kept) session_.reset();
    Exchange result = attempt(request, deadline);
    const bool was_closed = is_kept && result.failure == ExchangeFailure::broken;
    const bool can_retry = !result.begun && (!result.sent || request.method == poco::HTTPRequest::HTTP_GET);
    return was_closed && can_retry ? attempt(request, deadline) : result;
}

Exchange Connection::attempt(const Request& request, Deadline deadline) {
    Exchange result;
    try {
        if (!session_) connect(deadline);
        watch_.start(deadline);
        exchange(request, deadline, result);
    } catch (const UnknownAuthority& error) {
        fail(result, ExchangeFailure::unknown_authority, error.what());
    } catch (const Untrusted& error) {
        fail(result, ExchangeFailure::untrusted, error.what());
    } catch (const NoTls& error) {
        fail(result, ExchangeFailure::no_tls, error.what());
    } catch (const ProxyDenied& error) {
        fail(result, ExchangeFailure::proxy_denied, error.what());
    } catch (const NoTunnel& error) {
        fail(result, ExchangeFailure::broken, error.what());
    } catch (const Poco::TimeoutException& error) {
        fail(result, ExchangeFailure::timed_out, error.displayText());
    } catch (const Poco::Exception& error) {
        fail(result, ExchangeFailure::broken, error.displayText());
    } catch (const std::system_error& error) {
        fail(result, ExchangeFailure::broken, error.what());
    }
    if (watch_.finish()) fail(result, ExchangeFailure::timed_out, "no whole answer in time");
    if (result.failure != ExchangeFailure::none) {
        session_.reset();
        watch_.forget();
    }
    return result;
}

void Connection::connect(Deadline deadline) {
    const auto connected_by = std::min(deadline, std::chrono::steady_clock::now() + limits_.connect_timeout);
    session_ = std::make_unique<Session>(open_socket(peer_, resolver_, watch_, connected_by));
}

void Connection::exchange(const Request& request, Deadline deadline, Exchange& result) {
    poco::HTTPRequest headers = with_headers(request, peer_.server);
    ERR_clear_error();
    session_->begin();
    std::ostream& output = session_->sendRequest(headers);
    output.write(request.body.data(), static_cast<std::streamsize>(request.body.size())).flush();
    result.sent = session_->has_written();
    poco::HTTPResponse response;
    std::istream& input = session_->receive_final(response);
    const bool is_chunked = response.getChunkedTransferEncoding();
    const std::string coding = coding_of(response.get("Content-Encoding", ""));
    const bool is_packed = coding == gzip;
    std::size_t bytes = 0;
    if (request.receive && response.getStatus() == poco::HTTPResponse::HTTP_OK) {
        Unpacker unpacker(passing_on(request, deadline, result), is_packed);
        const auto receive = [&](std::string_view piece) { unpacker.take(piece); };
        is_chunked ? session_->pass_chunks(receive) : static_cast<void>(bytes = pass_pieces(input, receive));
        unpacker.finish();
    } else {
        result.body =
            is_chunked ? session_->read_chunks(limits_.max_bytes) : read_pieces(input, limits_.max_bytes);
        bytes = result.body.size();
    }
    if (session_->networkException() != nullptr) session_->networkException()->rethrow();
    if (response.hasContentLength() && static_cast<Poco::Int64>(bytes) != response.getContentLength64())
        throw poco::MessageException("the answer was cut short");
    if (is_packed) result.body = unpacked(result.body, limits_.max_bytes);
    if (!is_packed) result.coding = coding;
    note_head(response, result);
}

/// Returns a function that passes the pieces of an answer on to the request's `receive`. The deadline does
/// not run while `receive` works on a piece.
std::function<void(std::string_view)> Connection::passing_on(const Request& request, Deadline deadline,
                                                             Exchange& result) {
    const auto time = deadline - std::chrono::steady_clock::now();
    return [this, &request, &result, time](std::string_view piece) {
        if (watch_.finish()) throw Poco::TimeoutException("no whole answer in time");
        result.begun = true;
        request.receive(piece);
        watch_.start(std::chrono::steady_clock::now() + time);
    };
}

}  // namespace data_import::net
