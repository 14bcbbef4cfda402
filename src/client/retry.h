// Which requests are repeated, and when.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "client/session.h"

namespace data_import::client {

enum class Decision {
    accepted,
    refused,      ///< an answer that does not change by asking again
    undelivered,  ///< it may or may not have been carried out, and must not be sent twice
    repeat,
    stop,  ///< every other request would fare alike
};

/// Judges one attempt. `code` is the code of the answer's error, `idempotent` says that repeating does no
/// harm.
[[nodiscard]] Decision judge(const Attempt& attempt, std::string_view code, bool idempotent);

/// The wait before repeat number `repeat` (from 1): growing, at most half a minute, and at least what the
/// service has asked for, up to five minutes. `chance` from 0 to 1 spreads the repeats of many connections.
[[nodiscard]] std::chrono::milliseconds delay_before(unsigned repeat,
                                                     std::optional<std::chrono::seconds> retry_after,
                                                     double chance);

}  // namespace data_import::client
