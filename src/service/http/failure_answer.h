// Turns exceptions into answers and log entries. No other file does.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "service/http/endpoint.h"
#include "service/http/problem.h"
#include "service/metrics/board.h"

namespace data_import::http {

/// The answer to a failure, and its reason for the log.
struct FailureAnswer {
    Problem problem;
    std::string reason = "-";  ///< of an unexpected one
    std::optional<metrics::DatabaseFailure> of_database = {};
};

/// Returns the failure that the exception being handled means. ClientGone is no failure of a request and must
/// not come here.
[[nodiscard]] FailureAnswer current_failure(const std::string& request_id);

/// Changes the failure of a request that an earlier attempt may have stored: the answer then does not claim
/// that nothing was stored.
[[nodiscard]] FailureAnswer with_unknown_outcome(FailureAnswer failure, const std::string& request_id);

/// Renders the answer to a refused request. An endpoint may add members if the payload could be read; a 500
/// names the request. `endpoint` is null if there is none at the address.
[[nodiscard]] Reply render_refusal(const Problem& problem, const Endpoint* endpoint, const Context& context);

/// Returns the reason for the log. It names the process of PostgreSQL that refused a call, as PostgreSQL's
/// own log does.
[[nodiscard]] std::string logged_reason(const std::exception& failure);

}  // namespace data_import::http
