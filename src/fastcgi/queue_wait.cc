#include "fastcgi/queue_wait.h"

#include <algorithm>
#include <cstdint>

#include "util/whole_number.h"

namespace data_import::fastcgi {

std::optional<std::chrono::microseconds> queue_wait(std::string_view handed_over_at,
                                                    std::chrono::system_clock::time_point now) {
    using namespace std::chrono;
    constexpr std::size_t decimals = 3;
    constexpr std::size_t most_digits = 12;  // of seconds, so that nothing overflows
    const std::size_t point = handed_over_at.find('.');
    if (point > most_digits || handed_over_at.size() != point + 1 + decimals) return std::nullopt;
    const auto whole = util::whole_number<std::uint64_t>(handed_over_at.substr(0, point));
    const auto fraction = util::whole_number<std::uint64_t>(handed_over_at.substr(point + 1));
    if (!whole || !fraction) return std::nullopt;
    const milliseconds handed_over = seconds{*whole} + milliseconds{*fraction};
    const auto waited = duration_cast<microseconds>(now.time_since_epoch()) - handed_over;
    return std::clamp<microseconds>(waited, microseconds::zero(), longest_queue_wait);
}

}  // namespace data_import::fastcgi
