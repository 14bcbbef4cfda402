// Which requests are repeated, and when.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "client/session.h"

namespace data_import::client {

enum class Decision {
    accepted,
    refused,  ///< an answer that does not change by asking again
    repeat,
    stop,  ///< every other request would fare alike
};

/// Judges one attempt. `code` is the code of the answer's error. With `has_key` the request was sent under an
/// Idempotency-Key, which tells what has become of it; without one it may be carried out any number of times.
[[nodiscard]] Decision judge(const Attempt& attempt, std::string_view code, bool has_key);

/// Whether whoever has answered so, be it a proxy, wants to be asked again.
[[nodiscard]] bool is_passing(int status);

/// Whether a request with a key may have been carried out by this attempt, although no answer says so.
[[nodiscard]] bool is_in_doubt(const Attempt& attempt);

/// The wait before repeat number `repeat` (from 1): growing, at most half a minute, and at least what the
/// service has asked for, up to five minutes. `chance` from 0 to 1 spreads the repeats of many connections.
[[nodiscard]] std::chrono::milliseconds delay_before(unsigned repeat,
                                                     std::optional<std::chrono::seconds> retry_after,
                                                     double chance);

}  // namespace data_import::client
