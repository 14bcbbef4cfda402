// Recognises answers that are not from the service, but from a proxy, a balancer, a firewall or a captive
// portal in front of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "tools/client/answer.h"
#include "tools/client/session.h"

namespace data_import::client {

/// Returns whether an answer is from the service: a success in JSON, or a refusal with a code. `answer` is
/// what read_answer() makes of the body.
///
/// Any other answer proves neither that data has been imported nor that it is refused.
[[nodiscard]] bool is_of_service(int status, const std::optional<ImportAnswer>& answer);

/// Describes an answer that is not from the service, and says what to do: `503 from something in between:
/// text/html, title 'no healthy upstream'; ...`.
[[nodiscard]] std::string told_of_stranger(const Attempt& attempt);

/// If the answer is not from the service, sets the `problem` of the attempt. Then also sets its `failure` to
/// AttemptFailure::broken, unless the status asks for a retry (is_passing()).
void distrust_stranger(Attempt& attempt, const std::optional<ImportAnswer>& answer);

/// Returns `detail`. If the answer asks to wait for a minute or more, adds until when: `...; it asks to wait
/// until 2026-11-28T11:00:00Z`.
[[nodiscard]] std::string with_wait(std::string detail, std::optional<std::chrono::seconds> retry_after);

}  // namespace data_import::client
