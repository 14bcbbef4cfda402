// Reads the outcome of a request from its answer.
#pragma once

#include <string>

#include "../support/http.h"

namespace data_import::soak {

/// An answer that ended before it was complete says nothing.
[[nodiscard]] bool is_there(const tests::Answer& answer);
[[nodiscard]] bool is_good(const tests::Answer& answer);
/// 503 and 429: the request was not executed.
[[nodiscard]] bool was_not_carried_out(const tests::Answer& answer);
/// A refusal must not be repeated unchanged.
[[nodiscard]] bool is_refusal(const tests::Answer& answer);
/// The code of a refusal, `?` if it has none.
[[nodiscard]] std::string code_of(const tests::Answer& answer);
/// Status and code, for counting.
[[nodiscard]] std::string name_of(const tests::Answer& answer);

}  // namespace data_import::soak
