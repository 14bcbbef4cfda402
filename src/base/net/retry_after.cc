#include "base/net/retry_after.h"

#include <time.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <string_view>

#include "base/util/whole_number.h"

namespace data_import::net {

namespace {

using std::chrono::seconds;

constexpr seconds longest = std::chrono::hours(24 * 366);

/// Reads a date. The program's locale is C, so that names of days and months are those of HTTP.
std::optional<seconds> time_of(const std::string& date) {
    for (const char* const form :
         {"%a, %d %b %Y %H:%M:%S GMT", "%a, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"}) {
        std::tm parts{};
        const char* const end = ::strptime(date.c_str(), form, &parts);
        if (end != nullptr && *end == '\0') return seconds(::timegm(&parts));
    }
    return std::nullopt;
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<seconds> retry_after(const std::string& value, const std::string& date) {
    if (is_number(value))
        return std::min(seconds(util::whole_number<std::uint32_t>(value).value_or(UINT32_MAX)), longest);
    const auto end = time_of(value);
    if (!end) return std::nullopt;
    const seconds now = time_of(date).value_or(seconds(std::time(nullptr)));
    return std::clamp(*end - now, seconds(0), longest);
}

}  // namespace data_import::net
