#include "service/fastcgi/exchange.h"

#include <fcgiapp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "base/util/limits.h"
#include "service/fastcgi/heads.h"
#include "service/http/responders.h"

namespace data_import::fastcgi {

namespace {

constexpr std::size_t chunk_size = 64 * 1024;

void set_timeout(int socket, int option, std::chrono::seconds timeout) {
    const timeval value{timeout.count(), 0};
    ::setsockopt(socket, SOL_SOCKET, option, &value, sizeof(value));
}

/// A request of libfcgi over a connection that this object owns. Connections are accepted outside of libfcgi,
/// so that the read time-out already covers the first byte. `keepConnection` stops FCGX_Accept_r from
/// dropping the connection that it is given.
class FastCgiRequest {
public:
    explicit FastCgiRequest(util::FileDescriptor connection) : connection_(std::move(connection)) {
        // If the request cannot be read, FCGX_Accept_r must give up, and not wait for another connection.
        constexpr int no_listening_socket = -1;
        FCGX_InitRequest(&request_, no_listening_socket, FCGI_FAIL_ACCEPT_ON_INTR);
        request_.ipcFd = connection_.get();
        request_.keepConnection = 1;
    }
    FastCgiRequest(const FastCgiRequest&) = delete;
    FastCgiRequest& operator=(const FastCgiRequest&) = delete;

    /// Frees memory, and writes nothing: `finish` has written everything.
    ~FastCgiRequest() { FCGX_Free(&request_, 0); }

    /// Reads the head of the request. Returns false if none arrived; libfcgi has then closed the connection.
    [[nodiscard]] bool accept() {
        const bool accepted = FCGX_Accept_r(&request_) == 0;
        if (!accepted) connection_.release();
        return accepted;
    }

    /// Writes what is buffered, and the record that ends the request. Returns false if the peer did not take
    /// it all. Closes the error stream first, because libfcgi ends the request when the last stream is
    /// closed.
    [[nodiscard]] bool finish() {
        FCGX_FClose(request_.err);
        return FCGX_FClose(request_.out) == 0;
    }

    /// Breaks the connection in a way that shows the peer that the answer is not whole.
    ///
    /// The end of the connection is not enough, because nginx without fastcgi_keep_conn takes it for the end
    /// of the answer. A record of an unknown version is always an error to nginx. It is sent only if all
    /// records before it are whole: inside a cut record, nginx would take it for content.
    void cut() {
        constexpr char unknown_version[8] = {'\xff'};
        if (FCGX_GetError(request_.out) == 0) {
            ::send(connection_.get(), unknown_version, sizeof(unknown_version), MSG_NOSIGNAL | MSG_DONTWAIT);
        }
        ::shutdown(connection_.get(), SHUT_RDWR);
    }

    void set_write_timeout(std::chrono::seconds timeout) {
        set_timeout(connection_.get(), SO_SNDTIMEO, timeout);
    }

    /// Returns whether nginx may send a further request on the connection: nginx asked for that, this request
    /// was read to its end, and this object still owns the connection.
    [[nodiscard]] bool is_kept() const {
        return connection_ && request_.keepConnection != 0 && FCGX_GetError(request_.in) == 0 &&
               FCGX_HasSeenEOF(request_.in) != 0;
    }
    [[nodiscard]] util::FileDescriptor take_connection() { return std::move(connection_); }

    [[nodiscard]] bool is_abandoned() const { return peer_is_gone(connection_.get()); }
    [[nodiscard]] FCGX_Stream* in() { return request_.in; }
    [[nodiscard]] FCGX_Stream* out() { return request_.out; }
    [[nodiscard]] char** parameters() { return request_.envp; }

private:
    util::FileDescriptor connection_;
    FCGX_Request request_{};
};

/// Reads the rest of the stream and drops it. Returns true if there was any.
bool drain(FCGX_Stream* in) {
    if (FCGX_GetChar(in) < 0) return false;
    std::string dropped(chunk_size, '\0');
    while (FCGX_GetStr(dropped.data(), static_cast<int>(chunk_size), in) > 0) {
    }
    return true;
}

/// Reads `length` bytes, or fewer if the stream ends. The memory for all bytes is reserved at once, but it
/// costs nothing until bytes arrive and are written to it.
std::string read_bytes(FCGX_Stream* in, std::size_t length) {
    std::string body;
    body.reserve(length);
    while (body.size() < length) {
        const std::size_t begin = body.size();
        const std::size_t wanted = std::min(chunk_size, length - begin);
        body.resize(begin + wanted);
        const int count = FCGX_GetStr(body.data() + begin, static_cast<int>(wanted), in);
        body.resize(begin + static_cast<std::size_t>(std::max(count, 0)));
        if (body.size() < begin + wanted) break;
    }
    return body;
}

/// Reads the body to its end, and returns its state; nothing if the connection broke before the end. `length`
/// is the announced length in bytes; nothing if Content-Length is no number. `body` gets the bytes if there
/// are exactly `length` of them and `length` is at most `limit`. The state is then `complete`. Otherwise
/// `body` stays empty.
std::optional<http::BodyState> read_body(FCGX_Stream* in, std::optional<std::size_t> length,
                                         std::size_t limit, std::string& body) {
    if (!length || *length > limit) {
        drain(in);
        return length ? http::BodyState::too_large : http::BodyState::bad_length;
    }
    std::string bytes = read_bytes(in, *length);
    const bool is_longer = drain(in);
    if (FCGX_GetError(in) == EAGAIN) return http::BodyState::late;
    if (FCGX_GetError(in) != 0) return std::nullopt;
    if (is_longer || bytes.size() < *length) return http::BodyState::bad_length;
    body = std::move(bytes);
    return http::BodyState::complete;
}

class FastCgiResponder : public http::Responder {
public:
    FastCgiResponder(FastCgiRequest& request, const http::Request& asked, const ExchangeLimits& limits)
        : request_(request), asked_(asked), limits_(limits) {}

    void send(const http::Reply& reply) override {
        start();
        std::string head = format_head(reply.status, reply.content_type, reply.headers);
        if (reply.status != 204 && reply.status != 304)
            append_header(head, "Content-Length", std::to_string(reply.body.size()));
        put(head + "\r\n");
        if (!is_head()) put(reply.body);
        finish();
    }

    void begin(int status, std::string_view content_type, const http::Headers& headers) override {
        start();
        put(format_head(status, content_type, headers) + "\r\n");
        if (!is_head()) return;
        finish();
        throw http::HeadSent();
    }

    void write(std::string_view bytes) override {
        if (!begun_ || finished_) throw std::logic_error("write outside of an answer");
        put(bytes);
        if (limits_.alarm.count() > 0) ::alarm(static_cast<unsigned>(limits_.alarm.count()));
    }

    void end() override {
        if (!begun_ || finished_) throw std::logic_error("end outside of an answer");
        finish();
    }

    [[nodiscard]] bool begun() const override { return begun_; }
    [[nodiscard]] bool is_abandoned() const override { return request_.is_abandoned(); }
    [[nodiscard]] bool finished() const { return finished_; }

private:
    void start() {
        if (begun_) throw std::logic_error("a second answer to one request");
        begun_ = true;
    }

    // Short answers are written without a time-out: a socket takes them at once, and to set a time-out would
    // cost more than it could save.
    void put(std::string_view bytes) {
        while (!bytes.empty()) {
            const std::string_view part = bytes.substr(0, chunk_size);
            written_ += part.size();
            if (written_ > http::taken_at_once)
                put_patiently(part);
            else
                put_all(part);
            bytes.remove_prefix(part.size());
        }
    }

    void put_patiently(std::string_view part) {
        if (!std::exchange(has_write_timeout_, true)) request_.set_write_timeout(limits_.write_timeout);
        const auto begin = std::chrono::steady_clock::now();
        put_all(part);
        waited_ += std::chrono::steady_clock::now() - begin;
        const std::chrono::seconds time_of_bytes{
            static_cast<std::int64_t>(written_ / util::limits::least_rate)};
        if (waited_ > limits_.write_timeout + time_of_bytes) throw http::ClientGone();
    }

    void put_all(std::string_view part) {
        if (FCGX_PutStr(part.data(), static_cast<int>(part.size()), request_.out()) < 0)
            throw http::ClientGone();
    }

    void finish() {
        if (!request_.finish()) throw http::ClientGone();
        finished_ = true;
    }

    [[nodiscard]] bool is_head() const { return asked_.method == "HEAD"; }

    FastCgiRequest& request_;
    const http::Request& asked_;
    const ExchangeLimits& limits_;
    std::size_t written_ = 0;
    std::chrono::steady_clock::duration waited_{};  ///< time spent in writes that may wait for the peer
    bool has_write_timeout_ = false;
    bool begun_ = false;
    bool finished_ = false;
};

class FastCgiExchange : public Exchange {
public:
    FastCgiExchange(util::FileDescriptor connection, const ExchangeLimits& limits)
        : fastcgi_(std::move(connection)),
          has_request_(fastcgi_.accept() && read_request(limits)),
          responder_(fastcgi_, request_, limits) {}
    FastCgiExchange(const FastCgiExchange&) = delete;
    FastCgiExchange& operator=(const FastCgiExchange&) = delete;
    ~FastCgiExchange() override {
        if (has_request_ && !responder_.finished()) fastcgi_.cut();
    }

    [[nodiscard]] std::optional<util::FileDescriptor> take_connection() override {
        if (!has_request_ || !responder_.finished() || !fastcgi_.is_kept()) return std::nullopt;
        return fastcgi_.take_connection();
    }

    [[nodiscard]] bool has_request() const { return has_request_; }
    [[nodiscard]] const http::Request& request() const override { return request_; }
    [[nodiscard]] http::Responder& responder() override { return responder_; }

private:
    [[nodiscard]] bool read_request(const ExchangeLimits& limits) {
        const Parameters parameters(fastcgi_.parameters());
        request_ = read_head(parameters);
        if (limits.reads_person) request_.person = read_person(parameters);
        const auto state =
            read_body(fastcgi_.in(), content_length(parameters), limits.max_body_bytes, request_.body);
        if (state) request_.body_state = *state;
        return state.has_value();
    }

    FastCgiRequest fastcgi_;
    http::Request request_;
    bool has_request_;
    FastCgiResponder responder_;
};

}  // namespace

void prepare_exchanges() {
    // After a broken request, libfcgi by default waits up to 2 s for the peer to close the connection first.
    // 50 ms are enough.
    ::setenv("LIBFCGI_OS_CLOSE_POLL_TIMEOUT", "50", 0);
    // Both signals are set before FCGX_Init(), because libfcgi does not change a signal whose action is not
    // the default.
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    ::sigaction(SIGPIPE, &ignore, nullptr);
    ::sigaction(SIGUSR1, &ignore, nullptr);
    if (FCGX_Init() != 0) throw std::runtime_error("libfcgi cannot be initialised");
}

bool peer_is_gone(int connection) {
    constexpr short nothing_else = 0;  // not POLLRDHUP, because a peer that sends no more may still read
    pollfd state{connection, nothing_else, 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

void prepare_connection(int connection, const ExchangeLimits& limits) {
    set_timeout(connection, SO_RCVTIMEO, limits.read_timeout);
}

std::unique_ptr<Exchange> read_exchange(util::FileDescriptor connection, const ExchangeLimits& limits) {
    auto exchange = std::make_unique<FastCgiExchange>(std::move(connection), limits);
    if (!exchange->has_request()) return nullptr;
    return exchange;
}

}  // namespace data_import::fastcgi
