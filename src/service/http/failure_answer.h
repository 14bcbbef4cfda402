// Turns exceptions into answers and log entries, for all of the service.
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
    std::string reason = "-";  ///< cause of an unexpected failure; otherwise `-`
    std::optional<metrics::DatabaseFailure> of_database = {};
};

/// Returns the answer to the exception that is being handled, so it has to be called inside of a `catch`. The
/// exception must not be ClientGone, which is no failure of the request.
[[nodiscard]] FailureAnswer current_failure(const std::string& request_id);

/// Changes the failure of a request that an earlier attempt may have stored: the answer then does not claim
/// that nothing was stored.
[[nodiscard]] FailureAnswer with_unknown_outcome(FailureAnswer failure, const std::string& request_id);

/// Renders the answer to a refused request. The endpoint adds its own members (`extend_refusal`) if the
/// payload could be read. A 500 names the request. `endpoint` is null if no endpoint has the request's path.
[[nodiscard]] Reply render_refusal(const Problem& problem, const Endpoint* endpoint, const Context& context);

/// Returns the cause of a failure as it may be logged, without values of payloads. It names the process of
/// PostgreSQL that refused the call, so that PostgreSQL's own log can be searched for it.
[[nodiscard]] std::string logged_reason(const std::exception& failure);

}  // namespace data_import::http
