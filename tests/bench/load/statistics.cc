#include "statistics.h"

#include <algorithm>
#include <cmath>

namespace data_import::bench {

namespace {

using namespace std::chrono_literals;

double milliseconds(const Exchange& exchange) {
    return std::chrono::duration<double, std::milli>(exchange.end - exchange.start).count();
}

bool is_at_ease(const Exchanges& second, double bound) {
    const bool all_good = std::ranges::all_of(second, [](const Exchange& one) { return one.is_good(); });
    return !second.empty() && all_good && percentile(second, 0.99) <= bound;
}

}  // namespace

Exchanges with_missed(const Exchanges& exchanges, Clock::duration gap) {
    Exchanges all;
    all.reserve(exchanges.size());
    for (const Exchange& exchange : exchanges) {
        all.push_back(exchange);
        for (auto start = exchange.start + gap; gap > 0ns && start + gap <= exchange.end; start += gap)
            all.push_back({start, exchange.end, exchange.status});
    }
    return all;
}

Exchanges begun_in(const Exchanges& exchanges, Clock::time_point from, Clock::time_point to) {
    Exchanges found;
    std::ranges::copy_if(exchanges, std::back_inserter(found),
                         [&](const Exchange& one) { return one.start >= from && one.start < to; });
    return found;
}

double percentile(const Exchanges& exchanges, double share) {
    if (exchanges.empty()) return 0;
    std::vector<double> times;
    times.reserve(exchanges.size());
    for (const Exchange& exchange : exchanges) times.push_back(milliseconds(exchange));
    const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(times.size())));
    const auto place = times.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
    std::nth_element(times.begin(), place, times.end());
    return *place;
}

std::optional<Clock::time_point> at_ease_from(const Exchanges& exchanges, Clock::time_point from,
                                              Clock::time_point now, double bound) {
    constexpr Clock::duration second = 1s;
    for (Clock::time_point begin = from; begin + second <= now; begin += 100ms) {
        if (is_at_ease(begun_in(exchanges, begin, begin + second), bound)) return begin;
    }
    return std::nullopt;
}

std::string status_name(int status) {
    switch (status) {
        case cut_off:
            return "cut_off";
        case unanswered:
            return "unanswered";
        case unexpected:
            return "unexpected";
        case gone:
            return "gone";
        default:
            return std::to_string(status);
    }
}

std::string text_of(const Tally& tally) {
    std::string text;
    for (const auto& [status, count] : tally)
        text += (text.empty() ? "" : ",") + status_name(status) + "=" + std::to_string(count);
    return text.empty() ? "-" : text;
}

}  // namespace data_import::bench
