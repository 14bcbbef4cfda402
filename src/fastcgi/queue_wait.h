// How long a request waited between nginx, which handed it over, and the worker that takes it.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace data_import::fastcgi {

/// nginx gives up before that: what seems to have waited for longer met a clock that was set.
inline constexpr std::chrono::minutes longest_queue_wait{10};

/// `handed_over_at` is nginx's `$msec`: Unix time with three decimals. Nothing where it is anything else;
/// never negative, never more than `longest_queue_wait`.
[[nodiscard]] std::optional<std::chrono::microseconds> queue_wait(std::string_view handed_over_at,
                                                                  std::chrono::system_clock::time_point now);

}  // namespace data_import::fastcgi
