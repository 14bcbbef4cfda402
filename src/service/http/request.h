// One HTTP request as a plain value, and the receiver of its answer, without FastCGI and JSON.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace data_import::http {

/// The state of the body. In every state except `complete`, the request has an empty body.
enum class BodyState {
    complete,    ///< all of the body is here, or the request has none
    late,        ///< the next bytes of the body did not arrive in time
    too_large,   ///< the body is longer than `max_body_bytes`
    bad_length,  ///< Content-Length is no number, or differs from the number of bytes
};

/// The name of the person who sends a request, which comes from nginx, and the headers by which the browser
/// tells which page sends it.
struct Person {
    std::string name;        ///< the name by which nginx has let the person in; empty if there is none
    std::string host;        ///< the Host header
    std::string origin;      ///< the Origin header
    std::string fetch_site;  ///< the Sec-Fetch-Site header, empty when absent
};

struct Request {
    std::string method;            ///< as sent: `POST`
    std::string path;              ///< raw and still percent-encoded, without the query
    std::string query;             ///< raw, without the question mark
    std::string content_type;      ///< as sent, empty when absent
    std::string content_encoding;  ///< the Content-Encoding header, empty when absent
    /// The Authorization header; nothing if the request has none, and an empty text, which is not valid, if
    /// the request has several.
    std::optional<std::string> authorization;
    /// The Idempotency-Key header; nothing if the request has none, and an empty text if it has several.
    std::optional<std::string> idempotency_key;
    std::string accept;          ///< the Accept header, empty when absent
    std::string request_id;      ///< 32 lower-case hexadecimal digits, from nginx or else from the worker
    std::string remote_address;  ///< address of the client, as nginx saw it
    std::string client_request_id = {};  ///< the X-Request-Id header, empty when absent or sent twice
    std::string traceparent = {};        ///< the traceparent header, empty when absent or sent twice
    std::string accept_encoding = {};    ///< the Accept-Encoding header, empty when absent
    std::string if_none_match = {};      ///< the If-None-Match header, empty when absent
    bool is_unsized = false;             ///< the client sent the body without a length (chunked)
    /// The time between the moment at which nginx handed the request over and the moment at which the worker
    /// took it; nothing if nginx did not say when.
    std::optional<std::chrono::microseconds> waited = {};
    bool is_sent_again = false;  ///< nginx sent it again, because a worker died that may have stored it
    std::optional<Person> person = {};  ///< only in the pool operator
    std::string body;
    BodyState body_state = BodyState::complete;
};

using Headers = std::vector<std::pair<std::string, std::string>>;

/// A complete answer.
struct Reply {
    int status = 200;
    std::string body;
    Headers headers = {};
    std::string content_type = "application/json";
    std::size_t differing = 0;  ///< number of items that are stored with other content, for the import log
    std::size_t stored = 0;     ///< records that this request stored, without those that existed
};

/// Thrown by Responder for a HEAD request, because its client wants only the head of the answer.
struct HeadSent {};

/// Thrown by Responder when the client or nginx is gone or does not read. The answer cannot be finished.
struct ClientGone {};

/// Takes the answer to one request; the body of an answer to HEAD is dropped. Either `send` is called once,
/// or `begin`, any number of `write`, and `end`. If neither `send` nor `end` was reached, the transport
/// breaks the connection, so that a client can tell a cut answer from a whole one.
class Responder {
public:
    virtual ~Responder() = default;
    virtual void send(const Reply& reply) = 0;
    virtual void begin(int status, std::string_view content_type, const Headers& headers) = 0;
    virtual void write(std::string_view bytes) = 0;
    virtual void end() = 0;
    /// Returns true once `send` or `begin` was called.
    [[nodiscard]] virtual bool begun() const = 0;
    /// Returns true if nobody is left who could read the answer.
    [[nodiscard]] virtual bool is_abandoned() const { return false; }
};

/// A request, and the receiver of its answer.
struct Task {
    const Request& request;
    Responder& responder;
};

/// A request that was admitted and is to be answered. The request counts as in flight in its pool until its
/// answer ends, or until this object is destroyed. The Task of Handler::admit has to outlive this object.
class Admitted {
public:
    virtual ~Admitted() = default;
    /// Returns whether the request may be given to Handler::answer now. If so, it has taken its part of the
    /// pool. If not, is_ready() has to be called again soon: it returns false for a bounded time only.
    [[nodiscard]] virtual bool is_ready() { return true; }
    /// Returns false after Handler::answer if the request must be passed to Handler::answer again, once
    /// `is_ready` returns true.
    [[nodiscard]] virtual bool is_answered() const { return true; }
};

/// Tells the worker's loop what its handler is about to do.
class WorkerEvents {
public:
    virtual ~WorkerEvents() = default;
    /// Has to be called before a stage that may take long. The worker then hands two sorts of connections to
    /// other workers: connections that have no request, and connections whose request this worker has not
    /// read yet.
    virtual void before_long_stage() = 0;
};

/// Answers the requests of one worker.
class Handler {
public:
    virtual ~Handler() = default;
    /// Checks the sender of a request, and whether the request may be worked on. Is cheap, except when
    /// `admission_waits` returns true. Returns null if the request has been answered already. Throws nothing.
    [[nodiscard]] virtual std::unique_ptr<Admitted> admit(const Task& task) = 0;
    /// Returns whether the next admission has to ask the database, which may take long.
    [[nodiscard]] virtual bool admission_waits() const = 0;
    /// Answers requests in any order, together if that is cheaper. Requests that wait for a lock stay
    /// unanswered (Admitted::is_answered). A failure is logged, and concerns only its own request. An answer
    /// that a failure has interrupted stays unfinished.
    virtual void answer(std::span<const std::unique_ptr<Admitted>> requests, WorkerEvents& events) = 0;
    /// Does work that belongs to no request. Called about once a second, between requests. The work has to be
    /// short, because requests wait for it. Throws nothing.
    virtual void tick() = 0;
    /// Stores what is still in memory, such as counts of refusals. Takes some seconds at most. Called last,
    /// before the worker ends. Throws nothing.
    virtual void finish() = 0;
};

}  // namespace data_import::http
