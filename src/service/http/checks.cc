#include "service/http/checks.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "data/json/reader.h"
#include "service/http/dry_run.h"
#include "service/http/header_fields.h"

namespace data_import::http {

namespace {

json::Document read_body(const Request& request) {
    try {
        return json::read(request.body);
    } catch (const json::SyntaxError& error) {
        throw Problem{Code::parse_error, error.what()};
    }
}

[[noreturn]] void refuse_line_address(std::string detail) {
    throw validation_error({{.attr = "path", .code = Code::invalid_choice, .detail = std::move(detail)}});
}

// An answer 415 names the allowed media type in its header Accept, or the allowed codings in its header
// Accept-Encoding (RFC 9110, sections 12.5.3 and 15.5.16).
void check_media_type(const Request& request, const std::string& wanted) {
    if (has_media_type(request.content_type, wanted)) return;
    throw Problem{
        Code::unsupported_media_type, "The Content-Type must be " + wanted + '.', {}, {{"Accept", wanted}}};
}

void check_coding(bool is_right, std::string detail, const std::string& wanted) {
    if (is_right) return;
    throw Problem{Code::unsupported_media_type, std::move(detail), {}, {{"Accept-Encoding", wanted}}};
}

void check_arrival(BodyState state) {
    switch (state) {
        case BodyState::complete:
            return;
        case BodyState::too_large:
            throw Problem{Code::payload_too_large};
        case BodyState::bad_length:
            throw Problem{Code::bad_request, "The request is not valid: its Content-Length is wrong."};
        case BodyState::late:
            throw Problem{Code::request_timeout};
    }
}

/// Returns true for `check_previously_added=false`: records that the account has already are then added once
/// more.
bool adds_again(const Query& query) {
    return query.values.contains("check_previously_added") && !query.flag("check_previously_added");
}

}  // namespace

Route find_line_endpoint(const std::vector<Endpoint>& endpoints, const Request& line) {
    std::string near;
    try {
        Route route = find_route(endpoints, line.method, line.path);
        if (route.endpoint->body && (route.endpoint->import || route.endpoint->plan)) return route;
    } catch (const Problem& problem) {
        if (problem.code == Code::not_found && !problem.detail.empty()) near = " " + problem.detail;
    }
    refuse_line_address(
        "This must be the path of an import that bulk requests accept: imports into accounts, except payment "
        "instructions, and imports of market participants." +
        near);
}

void check_line_query(const SentQuery& query) {
    if (names_dry_run(query)) {
        refuse_line_address(
            "dry_run is not allowed in a line: send it in the query of the bulk request, for all its lines.");
    }
}

void check_transport(const Request& request, const Endpoint& endpoint) {
    if (request.body.size() > endpoint.max_body_bytes) {
        throw Problem{Code::payload_too_large,
                      "The body is larger than " + std::to_string(endpoint.max_body_bytes) + " bytes."};
    }
    if (endpoint.takes_lines) {
        check_media_type(request, "application/x-ndjson");
        check_coding(is_as_it_is(request.content_encoding) || is_gzip(request.content_encoding),
                     "The Content-Encoding must be gzip, or none.", "gzip, identity");
    } else if (endpoint.body) {
        check_media_type(request, "application/json");
        check_coding(is_as_it_is(request.content_encoding),
                     "The body must be sent uncompressed: no Content-Encoding is accepted here.", "identity");
    }
    check_arrival(request.body_state);
}

void check_key_allowed(const Context& context, const Endpoint& endpoint) {
    if (!context.request.idempotency_key) return;
    if (endpoint.takes_lines) {
        throw Problem{Code::bad_request,
                      "A bulk request takes no Idempotency-Key: its lines may be repeated."};
    }
    if (context.is_dry)
        throw Problem{Code::bad_request, "A dry run takes no Idempotency-Key: it stores nothing."};
}

void read_document(Context& context, const Endpoint& endpoint) {
    if (endpoint.body && !endpoint.takes_lines && !context.document)
        context.document = read_body(context.request);
}

void check_payload(Context& context, const Endpoint& endpoint, const SentQuery& sent,
                   schema::UnknownFields unknown_fields) {
    read_document(context, endpoint);
    context.query = read_query(sent, endpoint.query);
    if (context.is_line() && adds_again(context.query)) {
        refuse_line_address(
            "check_previously_added=false is not allowed in a bulk request, because a bulk request may have "
            "to be repeated.");
    }
    std::vector<schema::Violation> violations = std::move(context.query.violations);
    if (context.document)
        std::ranges::move(schema::check(*endpoint.body, context.body(), unknown_fields),
                          std::back_inserter(violations));
    if (violations.size() > schema::max_violations) violations.resize(schema::max_violations);
    if (!violations.empty()) throw validation_error(std::move(violations));
}

void check_supplier(const Context& context, const Endpoint& endpoint) {
    switch (endpoint.supplier) {
        case SupplierIn::nowhere:
            return;
        case SupplierIn::body:
            if (context.access->import_suppliers.contains(context.body().at("import_supplier").text()))
                return;
            throw Problem{Code::account_not_found};
        case SupplierIn::first_segment:
            if (context.access->import_suppliers.contains(context.segments.front())) return;
            throw Problem{Code::not_found, not_in_scope};
    }
}

}  // namespace data_import::http
