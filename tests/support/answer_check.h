// Checks that hold for every answer of the service, whatever the request.
#pragma once

#include <string>

#include "http.h"

namespace data_import::tests {

/// Throws std::runtime_error if the answer is cut, or lacks X-Request-Id or the JSON content type, or if a
/// refusal lacks the common shape or the header that belongs to its status (contract, sections 3.1 and 3.2).
void check_any_answer(const Answer& answer, bool head = false);

/// Status, headers and body for a message.
[[nodiscard]] std::string shown(const Answer& answer);

}  // namespace data_import::tests
