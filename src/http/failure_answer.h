// What exceptions mean to clients and operators: the one place where failures become answers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "http/problem.h"
#include "metrics/board.h"

namespace data_import::http {

/// What is answered, and what operators are told in the log.
struct Failure {
    Problem problem;
    std::string reason = "-";  ///< of an unexpected one
    std::optional<metrics::DatabaseFailure> of_database = {};
};

/// What the exception being handled means. ClientGone is no failure of a request and must not come here.
[[nodiscard]] Failure current_failure(const std::string& request_id);

/// Of a request that an attempt before may have stored: nobody is told that nothing was.
[[nodiscard]] Failure in_doubt(Failure failure, const std::string& request_id);

/// What operators are told of it in the log, with the process of PostgreSQL that refused a call: its own log
/// names that.
[[nodiscard]] std::string logged_reason(const std::exception& failure);

/// A message of PostgreSQL's without the values of payloads that it may quote, which have no place in a log.
[[nodiscard]] std::string without_values(std::string_view message);

}  // namespace data_import::http
