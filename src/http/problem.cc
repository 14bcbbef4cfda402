#include "http/problem.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "json/writer.h"

namespace data_import::http {

namespace {

constexpr std::array kinds = {
    ProblemKind{Code::bad_request, 400, "bad_request", "The request is not valid HTTP."},
    ProblemKind{Code::parse_error, 400, "parse_error", "The body is not valid JSON."},
    ProblemKind{Code::validation_error, 400, "validation_error", "The payload is not valid."},
    ProblemKind{Code::vendor_rejected, 400, "vendor_rejected",
                "The payment vendor does not accept this instruction: correct the reference."},
    ProblemKind{
        Code::vendor_unavailable, 400, "vendor_unavailable",
        "The payment vendor cannot be used: do not repeat the request before the operator has mended it."},
    ProblemKind{Code::not_authenticated, 401, "not_authenticated", "A token is required.", "WWW-Authenticate",
                "Token"},
    ProblemKind{Code::authentication_failed, 401, "authentication_failed", "The token is not valid.",
                "WWW-Authenticate", "Token"},
    ProblemKind{Code::token_expired, 401, "token_expired", "The token has expired: obtain a new one.",
                "WWW-Authenticate", "Token"},
    ProblemKind{Code::not_found, 404, "not_found", "There is nothing at this address."},
    ProblemKind{Code::account_not_found, 404, "account_not_found",
                "There is no imported account with this import_supplier and external_account_number."},
    ProblemKind{Code::method_not_allowed, 405, "method_not_allowed",
                "This address does not take this method."},
    ProblemKind{Code::request_timeout, 408, "request_timeout", "The request did not arrive in time."},
    ProblemKind{Code::request_in_progress, 409, "request_in_progress",
                "The first request with this Idempotency-Key is still running: repeat this one later.",
                "Retry-After", "1"},
    ProblemKind{Code::payload_too_large, 413, "payload_too_large", "The body is too large."},
    ProblemKind{Code::uri_too_long, 414, "uri_too_long", "The request line is too long."},
    ProblemKind{Code::unsupported_media_type, 415, "unsupported_media_type",
                "The body has to be JSON: Content-Type: application/json."},
    ProblemKind{Code::idempotency_key_reused, 422, "idempotency_key_reused",
                "This Idempotency-Key was used for another request: send a new key with this one."},
    ProblemKind{Code::throttled, 429, "throttled",
                "Too many requests: repeat this one later, and send fewer at a time.", "Retry-After", "1"},
    ProblemKind{Code::header_too_large, 431, "header_too_large", "The header block is too large."},
    ProblemKind{Code::error, 500, "error", "An unexpected error occurred."},
    ProblemKind{Code::vendor_intermittent, 500, "vendor_intermittent",
                "The payment vendor did not answer as it should: repeat the request as it is."},
    ProblemKind{Code::bad_gateway, 502, "bad_gateway",
                "The service broke off: it is unknown whether the request took effect. Repeat it as it is."},
    ProblemKind{Code::service_unavailable, 503, "service_unavailable",
                "The service cannot reach its database; nothing was stored. Repeat the request as it is.",
                "Retry-After", "2"},
    ProblemKind{Code::gateway_timeout, 504, "gateway_timeout",
                "The database did not answer in time. Repeat the request as it is."},
};

void write_violation(json::Writer& writer, const schema::Violation& violation) {
    writer.begin_object().key("detail").string(violation.detail).key("code").string(violation.code);
    writer.key("attr").string(violation.attr).end_object();
}

/// Where the place of the failure knows better than the table.
bool has_header(const Problem& problem, std::string_view name) {
    return std::ranges::find(problem.headers, name, &Headers::value_type::first) != problem.headers.end();
}

}  // namespace

const ProblemKind& kind_of(Code code) {
    for (const ProblemKind& kind : kinds) {
        if (kind.code == code) return kind;
    }
    throw std::logic_error("a code is missing in the table of problems");
}

std::span<const ProblemKind> problem_kinds() {
    return kinds;
}

Problem validation_error(std::vector<schema::Violation> violations) {
    std::string detail = violations.size() == 1
                             ? "The request has 1 error."
                             : "The request has " + std::to_string(violations.size()) + " errors.";
    if (violations.size() >= schema::max_violations) detail += " There may be more.";
    return {Code::validation_error, std::move(detail), std::move(violations), {}};
}

Reply render(const Problem& problem, const std::function<void(json::Writer&)>& further) {
    const ProblemKind& kind = kind_of(problem.code);
    json::Writer writer;
    writer.begin_object();
    if (further) further(writer);
    writer.key("detail").string(problem.detail.empty() ? kind.detail : std::string_view(problem.detail));
    writer.key("code").string(kind.name).key("errors").begin_array();
    for (const schema::Violation& violation : problem.violations) write_violation(writer, violation);
    writer.end_array().end_object();
    Reply reply{.status = kind.status, .body = writer.take(), .headers = problem.headers};
    if (!kind.header.empty() && !has_header(problem, kind.header))
        reply.headers.emplace_back(kind.header, kind.header_value);
    return reply;
}

}  // namespace data_import::http
