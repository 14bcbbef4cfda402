#include "client/session.h"

#include <Poco/Net/HTTPClientSession.h>
#include <Poco/Net/HTTPRequest.h>
#include <Poco/Net/HTTPResponse.h>
#include <Poco/Net/NetException.h>
#include <Poco/Net/NetSSL.h>
#include <Poco/Net/RejectCertificateHandler.h>
#include <Poco/Net/SSLException.h>
#include <Poco/Net/SSLManager.h>
#include <Poco/Net/SecureStreamSocket.h>

#include <algorithm>
#include <charconv>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "util/version.h"

namespace data_import::client {

namespace net = Poco::Net;

namespace {

constexpr std::size_t max_answer_bytes = std::size_t{64} << 20;

Poco::Timespan time_left(util::Watchdog::Clock::time_point deadline) {
    const auto left =
        std::chrono::duration_cast<std::chrono::microseconds>(deadline - util::Watchdog::Clock::now());
    // Zero would mean "for ever".
    return Poco::Timespan(std::max<Poco::Timespan::TimeDiff>(left.count(), 1));
}

/// The service says seconds; a date, which a proxy may send, counts as absent.
std::optional<std::chrono::seconds> retry_after(const net::HTTPResponse& response) {
    const std::string text = response.get("Retry-After", "");
    unsigned seconds = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (text.empty() || error != std::errc() || rest != text.data() + text.size()) return std::nullopt;
    return std::chrono::seconds(seconds);
}

std::string read_all(std::istream& stream) {
    std::string body;
    std::string piece(std::size_t{1} << 16, '\0');
    do {
        stream.read(piece.data(), static_cast<std::streamsize>(piece.size()));
        body.append(piece, 0, static_cast<std::size_t>(stream.gcount()));
        if (body.size() > max_answer_bytes) throw net::MessageException("the answer is too long");
    } while (stream);
    return body;
}

}  // namespace

net::Context::Ptr make_context(const std::string& ca_file) {
    net::Context::Params parameters;
    parameters.caLocation = ca_file;
    parameters.loadDefaultCAs = ca_file.empty();
    parameters.verificationMode = net::Context::VERIFY_STRICT;
    parameters.cipherList = "HIGH:!aNULL";
    parameters.ecdhCurve = "X25519:P-256:P-384";
    try {
        net::initializeSSL();
        net::Context::Ptr context = new net::Context(net::Context::TLS_CLIENT_USE, parameters);
        context->requireMinimumProtocol(net::Context::PROTO_TLSV1_2);
        net::SSLManager::instance().initializeClient(nullptr, new net::RejectCertificateHandler(false),
                                                     context);
        return context;
    } catch (const Poco::Exception& error) {
        if (ca_file.empty()) throw std::runtime_error("cannot set TLS up: " + error.displayText());
        throw std::runtime_error("cannot use the certificates of " + ca_file +
                                 ": it has to be a file in PEM format");
    }
}

/// Poco's session with the way to connect replaced: the socket is watched from its first moment, TLS
/// handshake included.
class Session::Connection : public net::HTTPClientSession {
public:
    Connection(const Target& target, net::Context::Ptr context, util::Watchdog::Watch& watch)
        : HTTPClientSession(target.host, target.port), context_(std::move(context)), watch_(watch) {
        setKeepAlive(true);
    }

    /// Has to be called before every request.
    void limit(util::Watchdog::Clock::time_point deadline) { deadline_ = deadline; }

    void disconnect() {
        reset();
        watch_.forget();
    }

    /// Forgets errors of an exchange that has failed before this one.
    void clear_error() { clearException(); }

protected:
    void connect(const net::SocketAddress& address) override {
        watch_.forget();
        net::StreamSocket socket;
        socket.connect(address, time_left(deadline_));
        socket.setNoDelay(true);
        socket.setReceiveTimeout(time_left(deadline_));
        socket.setSendTimeout(time_left(deadline_));
        watch_.guard(socket.impl()->sockfd());
        attachSocket(context_ ? net::SecureStreamSocket::attach(socket, getHost(), context_) : socket);
    }

private:
    net::Context::Ptr context_;
    util::Watchdog::Watch& watch_;
    util::Watchdog::Clock::time_point deadline_;
};

Session::Session(Target target, net::Context::Ptr context, std::chrono::seconds timeout,
                 util::Watchdog& watchdog)
    : target_(std::move(target)),
      timeout_(timeout),
      watch_(watchdog),
      connection_(std::make_unique<Connection>(target_, std::move(context), watch_)) {}

Session::~Session() = default;

Attempt Session::post(const std::string& path, std::string_view body, const std::string& token) {
    const auto deadline = util::Watchdog::Clock::now() + timeout_;
    Attempt attempt;
    const auto fail = [&](Failure failure, const std::string& problem) {
        attempt.failure = failure;
        attempt.problem = problem;
    };
    watch_.start(deadline);
    connection_->limit(deadline);
    try {
        exchange(path, body, token, attempt);
    } catch (const net::CertificateValidationException& error) {
        fail(Failure::certificate, error.displayText());
    } catch (const net::SSLException& error) {
        const bool untrusted = error.message().find("certificate verify failed") != std::string::npos;
        if (untrusted) {
            fail(Failure::certificate, "certificate verify failed");
        } else {
            fail(Failure::connection, error.displayText());
        }
    } catch (const Poco::TimeoutException& error) {
        fail(Failure::time_out, error.displayText());
    } catch (const Poco::Exception& error) {
        fail(Failure::connection, error.displayText());
    }
    if (watch_.finish() || attempt.failure == Failure::time_out) {
        fail(Failure::time_out, "no answer within " + std::to_string(timeout_.count()) + " s");
    }
    if (attempt.failure != Failure::none) {
        attempt.status = 0;
        connection_->disconnect();
    }
    return attempt;
}

void Session::exchange(const std::string& path, std::string_view body, const std::string& token,
                       Attempt& attempt) {
    net::HTTPRequest request(net::HTTPRequest::HTTP_POST, target_.prefix + path, net::HTTPMessage::HTTP_1_1);
    request.setContentType("application/json");
    request.setContentLength64(static_cast<Poco::Int64>(body.size()));
    request.set("Accept", "application/json");
    if (!token.empty()) request.set("Authorization", "Token " + token);
    request.set("User-Agent", std::string(program) + "/" + std::string(util::version));
    connection_->clear_error();
    std::ostream& output = connection_->sendRequest(request);
    attempt.sent = true;
    output.write(body.data(), static_cast<std::streamsize>(body.size())).flush();
    net::HTTPResponse response;
    std::istream& input = connection_->receiveResponse(response);
    attempt.body = read_all(input);
    if (connection_->networkException() != nullptr) connection_->networkException()->rethrow();
    if (response.hasContentLength() &&
        static_cast<Poco::Int64>(attempt.body.size()) != response.getContentLength64()) {
        throw net::MessageException("the answer was cut short");
    }
    attempt.retry_after = retry_after(response);
    attempt.status = static_cast<int>(response.getStatus());
}

}  // namespace data_import::client
