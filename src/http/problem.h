// Every answer outside 2xx: the one table of error codes and their one shape (decisions, section 2).
#pragma once

#include <exception>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"
#include "json/writer.h"
#include "schema/schema.h"

namespace data_import::http {

/// The closed list of top-level codes. Some of them only nginx answers (nginx/errors.conf), before a request
/// reaches the service or when it does not answer; they are here because a client does not see the
/// difference.
enum class Code {
    bad_request,
    parse_error,
    validation_error,
    vendor_rejected,
    vendor_unavailable,
    not_authenticated,
    authentication_failed,
    token_expired,
    not_found,
    account_not_found,
    method_not_allowed,
    request_timeout,
    request_in_progress,
    payload_too_large,
    uri_too_long,
    unsupported_media_type,
    idempotency_key_reused,
    throttled,
    header_too_large,
    error,
    vendor_intermittent,
    bad_gateway,
    service_unavailable,
    gateway_timeout,
};

/// A row of the table.
struct ProblemKind {
    Code code;
    int status;
    std::string_view name;         ///< `code` in the body; never changes its meaning
    std::string_view detail;       ///< said where the place of the failure has nothing more precise to say
    std::string_view header = {};  ///< of every such answer, with its value
    std::string_view header_value = {};
};

[[nodiscard]] const ProblemKind& kind_of(Code code);

/// The whole table, ordered by status.
[[nodiscard]] std::span<const ProblemKind> problem_kinds();

/// A request that cannot be answered as it wished. Thrown anywhere below the pipeline, rendered there.
struct Problem {
    Code code = Code::error;
    std::string detail = {};  ///< plain English for the client; empty: the kind's own
    std::vector<schema::Violation> violations = {};
    Headers headers = {};
};

/// A 400 `validation_error` with its items.
[[nodiscard]] Problem validation_error(std::vector<schema::Violation> violations);

/// `{"detail": ..., "code": ..., "errors": [...]}` with the kind's status and headers; `further` writes
/// members in front of these.
[[nodiscard]] Reply render(const Problem& problem,
                           const std::function<void(json::Writer&)>& further = nullptr);

}  // namespace data_import::http
