// The wait before a retry that an answer asks for (header Retry-After).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::net {

/// Returns the wait that `value`, the value of a header Retry-After (RFC 9110, section 10.2.3), asks for.
/// `value` is a number of seconds, or a date in one of the three forms of HTTP; a date in the past means no
/// wait. The wait is at most 366 days. Returns nothing for any other text.
///
/// A date counts from `date`, the header Date of the same answer, so that clocks need not agree. If `date` is
/// no date, it counts from now.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after(const std::string& value,
                                                              const std::string& date);

}  // namespace data_import::net
