#include "http/pipeline.h"

#include <algorithm>
#include <iterator>

#include "http/media_type.h"
#include "json/reader.h"
#include "util/log.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

// Step 1. What nginx lets through is checked again: the socket may have other clients.
void check_transport(const Endpoint& endpoint, const Request& request) {
    if (endpoint.body && !is_json(request.content_type)) throw Problem{Code::unsupported_media_type};
    switch (request.body_state) {
        case BodyState::complete:
            return;
        case BodyState::too_large:
            throw Problem{Code::payload_too_large};
        case BodyState::bad_length:
            throw Problem{Code::bad_request, "The request is not valid: its Content-Length is wrong."};
        case BodyState::cut:
            throw Problem{Code::bad_request,
                          "The request is not complete: its body is shorter than announced."};
    }
}

Problem problem_of(const auth::Denied& denied) {
    switch (denied.denial) {
        case auth::Denial::not_authenticated:
            return {Code::not_authenticated, denied.detail};
        case auth::Denial::token_expired:
            return {Code::token_expired, denied.detail};
        case auth::Denial::authentication_failed:
            break;
    }
    return {Code::authentication_failed, denied.detail};
}

// An endpoint may add to what its refusals say once the payload could be read.
Reply render_for(const Endpoint* endpoint, const Context& context, const Problem& problem) {
    const bool extends = endpoint != nullptr && endpoint->extend_refusal && context.document &&
                         problem.code == Code::validation_error;
    if (!extends) return render(problem);
    return render(problem, [&](json::Writer& writer) { endpoint->extend_refusal(writer, context, problem); });
}

// PostgreSQL's messages may quote values of the payload, which have no place in a log.
std::string without_values(std::string_view message) {
    return std::string(message.substr(0, message.find_first_of(":\"")));
}

}  // namespace

/// The log line of one request: what was asked for, what was answered, and how long it took.
class Pipeline::Journal {
public:
    explicit Journal(const Request& request) : request_(request) {}

    const Endpoint* endpoint = nullptr;
    std::string api_key_id = "-";
    std::string_view code = "-";  ///< of a problem
    std::string reason = "-";     ///< of an unexpected failure; for operators only

    void write(int status, bool also_when_good) const {
        const bool failed = status >= 500 || reason != "-";
        const bool good = !failed && code == "-";
        if (good && !also_when_good) return;
        const auto took = std::chrono::duration_cast<std::chrono::microseconds>(steady_clock::now() - began_);
        util::log(failed ? util::Severity::error : util::Severity::info, "request",
                  {{"request_id", request_.request_id},
                   {"method", endpoint == nullptr ? std::string_view("-") : endpoint->method},
                   {"endpoint", endpoint == nullptr ? std::string_view("-") : endpoint->path},
                   {"status", status},
                   {"code", code},
                   {"api_key", api_key_id},
                   {"bytes", request_.body.size()},
                   {"microseconds", took.count()},
                   {"reason", reason}});
    }

private:
    const Request& request_;
    steady_clock::time_point began_ = steady_clock::now();
};

/// Remembers the status for the journal.
class RecordingResponder : public Responder {
public:
    explicit RecordingResponder(Responder& target) : target_(target) {}

    void send(const Reply& reply) override {
        status_ = reply.status;
        target_.send(reply);
    }
    void begin(int status, std::string_view content_type, const Headers& headers) override {
        status_ = status;
        target_.begin(status, content_type, headers);
    }
    void write(std::string_view bytes) override { target_.write(bytes); }
    void end() override { target_.end(); }
    [[nodiscard]] bool begun() const override { return target_.begun(); }
    [[nodiscard]] int status() const { return status_; }

private:
    Responder& target_;
    int status_ = 0;
};

void Pipeline::answer(const Request& request, Responder& target) {
    RecordingResponder responder(target);
    Journal journal(request);
    Context context{.request = request, .deadline = steady_clock::now() + options_.timeout};
    const auto refuse = [&](const Problem& problem, std::string reason = "-") {
        const ProblemKind& kind = kind_of(problem.code);
        journal.code = kind.name;
        journal.reason = std::move(reason);
        // an answer that has begun cannot become an error any more: the transport cuts it
        if (!responder.begun()) responder.send(render_for(journal.endpoint, context, problem));
    };
    try {
        serve(context, responder, journal);
    } catch (const Problem& problem) {
        refuse(problem);
    } catch (const auth::Denied& denied) {
        refuse(problem_of(denied));
    } catch (const auth::KeyRingError& failure) {
        refuse({Code::service_unavailable, "The service has no signing keys; nothing was stored."},
               failure.what());
    } catch (const store::SchemaMissing& failure) {
        refuse({Code::service_unavailable,
                "The service's database is not migrated; nothing was stored. Repeat the request as it is."},
               std::string("the database is not migrated, data-importctl db migrate does it; ") +
                   failure.what());
    } catch (const store::Unavailable& failure) {
        refuse({Code::service_unavailable}, failure.what());
    } catch (const store::TimedOut& failure) {
        refuse({Code::gateway_timeout}, failure.what());
    } catch (const store::OutcomeUnknown& failure) {
        refuse({Code::error,
                "The connection to the database broke while the request was being stored, so that its "
                "outcome is unknown. Request " +
                    request.request_id + "."},
               failure.what());
    } catch (const store::Refused& failure) {
        refuse({Code::error, "An unexpected error occurred in the database; nothing was stored. Request " +
                                 request.request_id + "."},
               failure.sqlstate() + ' ' + without_values(failure.what()));
    } catch (const std::exception& failure) {
        refuse({Code::error, "An unexpected error occurred. Request " + request.request_id + "."},
               failure.what());
    } catch (const ClientGone&) {
        journal.reason = "client gone";
        journal.write(responder.status(), options_.log_requests);
        throw;
    }
    journal.write(responder.status(), options_.log_requests);
}

void Pipeline::serve(Context& context, Responder& responder, Journal& journal) {
    const Request& request = context.request;
    Route route = router_.find(request.method, request.path);
    const Endpoint& endpoint = *route.endpoint;
    context.segments = std::move(route.segments);
    journal.endpoint = &endpoint;
    check_transport(endpoint, request);
    if (endpoint.needs_token) {
        context.access = &authenticator_.authenticate(request.authorization, database_, context.deadline);
        journal.api_key_id = context.access->id;
    }
    if (endpoint.body) read_body(context);
    check_fields(endpoint, context);
    check_supplier(endpoint, context);
    execute(endpoint, context, responder);
}

// Step 3.
void Pipeline::read_body(Context& context) {
    try {
        context.document = json::read(context.request.body);
    } catch (const json::SyntaxError& error) {
        throw Problem{Code::parse_error, error.what()};
    }
}

// Step 4. The query stands before the body, so what is wrong with it is reported first.
void Pipeline::check_fields(const Endpoint& endpoint, Context& context) const {
    Query query = endpoint.query.empty()
                      ? Query{}
                      : read_query(context.request.query, endpoint.query, options_.unknown_fields);
    context.query = std::move(query.values);
    std::vector<schema::Violation> violations = std::move(query.violations);
    if (endpoint.body) {
        std::ranges::move(schema::check(*endpoint.body, context.body(), options_.unknown_fields),
                          std::back_inserter(violations));
    }
    if (violations.size() > schema::max_violations) violations.resize(schema::max_violations);
    if (!violations.empty()) throw validation_error(std::move(violations));
}

// Step 5. A scope holds existing suppliers only, so an unknown supplier and somebody else's fail alike, here.
void Pipeline::check_supplier(const Endpoint& endpoint, const Context& context) const {
    switch (endpoint.supplier) {
        case SupplierIn::nowhere:
            return;
        case SupplierIn::body:
            if (context.access->import_suppliers.contains(context.body().at("import_supplier").text()))
                return;
            throw Problem{Code::account_not_found};
        case SupplierIn::first_segment:
            if (context.access->import_suppliers.contains(context.segments.front())) return;
            throw Problem{Code::not_found, "There is no such import supplier or account for this token."};
    }
}

void Pipeline::execute(const Endpoint& endpoint, const Context& context, Responder& responder) {
    if (endpoint.run) return endpoint.run(context, database_, responder);
    const store::Rows rows = database_.execute(endpoint.plan(context), context.deadline);
    responder.send(endpoint.reply(context, rows));
}

}  // namespace data_import::http
