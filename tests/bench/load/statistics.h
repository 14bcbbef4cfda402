// Statistics of the times of a client's requests.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client.h"

namespace data_import::bench {

using Exchanges = std::vector<Exchange>;

/// Returns `exchanges`, and for each exchange that took longer than `gap` also the exchanges that its client
/// would have begun meanwhile, one after each `gap`. Without them, a client that waits for long would count
/// as one slow request.
[[nodiscard]] Exchanges with_missed(const Exchanges& exchanges, Clock::duration gap);

/// The exchanges begun in [from, to).
[[nodiscard]] Exchanges begun_in(const Exchanges& exchanges, Clock::time_point from, Clock::time_point to);

/// Returns milliseconds; 0 if there are no exchanges. `share` 0.99 is the p99.
[[nodiscard]] double percentile(const Exchanges& exchanges, double share);

/// Returns the beginning of the first good second at or after `from`, a second in which the p99 was at most
/// `bound` ms and nothing failed. Returns nothing if no good second has passed by `now`.
[[nodiscard]] std::optional<Clock::time_point> at_ease_from(const Exchanges& exchanges,
                                                            Clock::time_point from, Clock::time_point now,
                                                            double bound);

/// The number of an HTTP status, such as `201`; a word for the other results.
[[nodiscard]] std::string status_name(int status);

/// The number of answers by status; as text `201=17,429=3`, or `-` if there are none.
using Tally = std::map<int, std::size_t>;
[[nodiscard]] std::string text_of(const Tally& tally);

}  // namespace data_import::bench
