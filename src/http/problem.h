// Every answer outside 2xx: the one table of error codes and their one shape (decisions, section 2).
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "http/request.h"
#include "schema/schema.h"

namespace data_import::http {

/// The closed list of top-level codes that the service itself answers. nginx answers some more by itself.
enum class Code {
    bad_request,
    parse_error,
    validation_error,
    not_authenticated,
    authentication_failed,
    token_expired,
    not_found,
    account_not_found,
    method_not_allowed,
    payload_too_large,
    unsupported_media_type,
    error,
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

/// A request that cannot be answered as it wished. Thrown anywhere below the pipeline, rendered there.
struct Problem {
    Code code = Code::error;
    std::string detail = {};  ///< plain English for the client; empty: the kind's own
    std::vector<schema::Violation> violations = {};
    Headers headers = {};
};

/// A 400 `validation_error` with its items.
[[nodiscard]] Problem validation_error(std::vector<schema::Violation> violations);

/// `{"detail": ..., "code": ..., "errors": [...]}` with the kind's status and headers.
[[nodiscard]] Reply render(const Problem& problem);

}  // namespace data_import::http
