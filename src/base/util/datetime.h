// Dates and instants of the interface (contract, section 2.4).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace data_import::util {

/// A calendar date of the proleptic Gregorian calendar.
struct Date {
    int year = 0;
    int month = 0;
    int day = 0;
    auto operator<=>(const Date&) const = default;
};

/// `YYYY-MM-DD`, a real date, years 1900 to 2999; nothing otherwise.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);

/// A point in time: microseconds since 1970-01-01T00:00:00Z.
struct Instant {
    std::int64_t microseconds = 0;
    auto operator<=>(const Instant&) const = default;
};

/// `YYYY-MM-DDTHH:MM:SS[.f{1,6}](Z|+HH:MM|-HH:MM)`: capital T and Z, a date as above, hours to 23, minutes
/// and seconds to 59, offsets to 14:00. False, and `instant` as it was, for everything else.
[[nodiscard]] bool read_datetime(std::string_view text, Instant& instant);

/// The same; nothing for everything else. Inline, because payloads are full of instants, and an optional
/// returned from another file takes as long as reading one.
[[nodiscard]] inline std::optional<Instant> parse_datetime(std::string_view text) {
    Instant instant;
    return read_datetime(text, instant) ? std::optional(instant) : std::nullopt;
}

/// `YYYY-MM-DDTHH:MM:SSZ` in UTC, years 0 to 9999, with `.ffffff` less its trailing zeros where the fraction
/// is not zero.
[[nodiscard]] std::string to_text(Instant instant);
/// Appends the same text.
void append_text(std::string& text, Instant instant);
/// Appends the date so many days after 1970-01-01 as `YYYY-MM-DD`, years 0 to 9999.
void append_date(std::string& text, std::int64_t days);

/// The present.
[[nodiscard]] Instant now();

}  // namespace data_import::util
