// Statistics of the times of a client's requests.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "client.h"

namespace data_import::bench {

using Exchanges = std::vector<Exchange>;

/// Returns `exchanges`, and for each one that took longer than `gap` those that its client would have sent
/// meanwhile, one each `gap`: a waiting client must not hide how long all would have waited.
[[nodiscard]] Exchanges with_missed(const Exchanges& exchanges, Clock::duration gap);

/// The exchanges begun in [from, to).
[[nodiscard]] Exchanges begun_in(const Exchanges& exchanges, Clock::time_point from, Clock::time_point to);

/// In milliseconds, 0 for none. `share` of 0.99 is the p99.
[[nodiscard]] double percentile(const Exchanges& exchanges, double share);

/// The first moment from `from` on with a second after it in which the p99 was at most `bound` ms and
/// nothing failed. Nothing if that second has not passed by `now`.
[[nodiscard]] std::optional<Clock::time_point> at_ease_from(const Exchanges& exchanges,
                                                            Clock::time_point from, Clock::time_point now,
                                                            double bound);

/// `201`, or a word.
[[nodiscard]] std::string status_name(int status);

/// The number of answers of each status, `201=17,429=3`; `-` for none.
using Tally = std::map<int, std::size_t>;
[[nodiscard]] std::string text_of(const Tally& tally);

}  // namespace data_import::bench
