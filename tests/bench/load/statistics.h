// Statistics of the times of a client's requests.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client.h"

namespace data_import::bench {

using Exchanges = std::vector<Exchange>;

/// Corrects for coordinated omission: adds the exchanges that a client would have begun, one after each
/// `gap`, while it waited for a slow answer. Without them, a long wait would count as one slow request.
[[nodiscard]] Exchanges with_missed(const Exchanges& exchanges, Clock::duration gap);

/// The exchanges begun in [from, to).
[[nodiscard]] Exchanges begun_in(const Exchanges& exchanges, Clock::time_point from, Clock::time_point to);

/// Returns the milliseconds within which `share` of the exchanges ended (0.99: the p99); 0 if there are none.
[[nodiscard]] double percentile(const Exchanges& exchanges, double share);

/// Returns the beginning of the first good second at or after `from`, a second in which the p99 was at most
/// `bound` ms and nothing failed. Returns nothing if no good second has passed by `now`.
[[nodiscard]] std::optional<Clock::time_point> at_ease_from(const Exchanges& exchanges,
                                                            Clock::time_point from, Clock::time_point now,
                                                            double bound);

/// Returns the member `status` of an exchange as text: the number of an HTTP status, such as `201`, or the
/// name of a result in the place of a status: `cut_off`, `unanswered`, `unexpected` or `gone` (see client.h).
[[nodiscard]] std::string status_name(int status);

/// The number of answers by status; as text `201=17,429=3`, or `-` if there are none.
using Tally = std::map<int, std::size_t>;
[[nodiscard]] std::string text_of(const Tally& tally);

}  // namespace data_import::bench
