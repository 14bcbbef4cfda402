// The decision which requests are repeated, and when.
#pragma once

#include <chrono>
#include <string_view>

#include "client/session.h"
#include "util/backoff.h"

namespace data_import::client {

enum class Decision {
    accepted,
    refused,  ///< an answer that does not change by asking again
    repeat,
    stop,  ///< every other request would fare alike
};

/// Judges one attempt. `code` is the code of the answer's error. With `has_key` the request was sent under an
/// Idempotency-Key, by which the service knows the outcome; without one it may be carried out any number of
/// times.
[[nodiscard]] Decision judge(const Attempt& attempt, std::string_view code, bool has_key);

/// Whether the sender of this answer, perhaps a proxy, wants to be asked again.
[[nodiscard]] bool is_passing(int status);

/// Whether a request with a key may have been carried out by this attempt, although no answer says so.
[[nodiscard]] bool is_in_doubt(const Attempt& attempt);

/// The waits before repeats: growing, and at least the wait that the service has asked for, up to five
/// minutes.
inline constexpr util::Backoff backoff{.first = std::chrono::milliseconds(250),
                                       .longest = std::chrono::seconds(30),
                                       .longest_asked = std::chrono::minutes(5),
                                       .spreads_asked = true};

}  // namespace data_import::client
