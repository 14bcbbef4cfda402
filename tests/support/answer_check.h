// Checks that hold for every answer of the service, whatever the request.
#pragma once

#include <string>

#include "http.h"

namespace data_import::tests {

/// Throws std::runtime_error if the answer is cut, or lacks X-Request-Id or the JSON content type, or if a
/// refusal lacks the common shape or the header that belongs to its status (contract, sections 3.1 and 3.2).
/// `head` is true for the answer to a HEAD request; as this answer has no body, its body is not checked.
void check_any_answer(const Answer& answer, bool head = false);

/// Returns status, headers and the beginning of the body as text, for the message of a failed test.
[[nodiscard]] std::string shown(const Answer& answer);

}  // namespace data_import::tests
