// Reads the outcome of a request from its answer.
#pragma once

#include <string>

#include "../support/http.h"

namespace data_import::soak {

/// Returns whether the answer is complete. An answer that was cut off says nothing about the request.
[[nodiscard]] bool is_there(const tests::Answer& answer);
[[nodiscard]] bool is_good(const tests::Answer& answer);
/// Returns whether the answer is 503 or 429, which says that the request was not executed.
[[nodiscard]] bool was_not_carried_out(const tests::Answer& answer);
/// Returns whether the service refused the request for good, so that repeating it unchanged is useless.
[[nodiscard]] bool is_refusal(const tests::Answer& answer);
/// The code of a refusal, `?` if it has none.
[[nodiscard]] std::string code_of(const tests::Answer& answer);
/// Status and code of an answer, by which answers are counted.
[[nodiscard]] std::string name_of(const tests::Answer& answer);

}  // namespace data_import::soak
