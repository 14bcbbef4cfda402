// Checks that hold for every answer of the service, whatever the request.
#pragma once

#include <string>

#include "http.h"

namespace data_import::tests {

/// Throws std::runtime_error unless the answer is complete, has each header once, and has X-Request-Id and a
/// JSON content type. A refusal must also have the common shape and the header that belongs to its status
/// (contract, sections 3.1 and 3.2). `head` is true for the answer to a HEAD request, whose missing body is
/// not checked.
void check_any_answer(const Answer& answer, bool head = false);

/// Returns status, headers and the beginning of the body as text, for the message of a failed test.
[[nodiscard]] std::string shown(const Answer& answer);

}  // namespace data_import::tests
