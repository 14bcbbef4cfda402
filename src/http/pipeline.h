// A whole request from top to bottom, in the order of decisions, section 1. Read pipeline.cc first, and you
// know the service.
#pragma once

#include <chrono>

#include "auth/authenticator.h"
#include "http/endpoint.h"
#include "http/router.h"

namespace data_import::http {

struct PipelineOptions {
    schema::UnknownFields unknown_fields = schema::UnknownFields::refuse;
    std::chrono::seconds timeout{55};  ///< for everything that one request waits for
    bool log_requests = true;          ///< a log line for every request, not only for failed ones
};

/// One worker's pipeline; not for use by several threads.
class Pipeline {
public:
    Pipeline(const std::vector<Endpoint>& endpoints, auth::Authenticator& authenticator,
             store::Database& database, PipelineOptions options)
        : router_(endpoints), authenticator_(authenticator), database_(database), options_(options) {}

    /// Answers a request. Throws nothing but ClientGone, which passes through from `responder`.
    void answer(const Request& request, Responder& responder);

private:
    class Journal;

    void serve(Context& context, Responder& responder, Journal& journal);
    void check_supplier(const Endpoint& endpoint, const Context& context) const;
    static void read_body(Context& context);
    void check_fields(const Endpoint& endpoint, Context& context) const;
    void execute(const Endpoint& endpoint, const Context& context, Responder& responder);

    Router router_;
    auth::Authenticator& authenticator_;
    store::Database& database_;
    PipelineOptions options_;
};

}  // namespace data_import::http
