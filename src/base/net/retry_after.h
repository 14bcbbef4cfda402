// The wait before a retry that an answer asks for (header Retry-After).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::net {

/// Returns the value of Retry-After (RFC 9110, section 10.2.3): seconds, or a date in one of the three forms
/// of HTTP. A date counts from `date`, which is the header Date of the same answer, so that clocks need not
/// agree. If `date` is no date, it counts from now. A date in the past means no wait. Nothing for any other
/// text.
[[nodiscard]] std::optional<std::chrono::seconds> retry_after(const std::string& value,
                                                              const std::string& date);

}  // namespace data_import::net
