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

/// Reads `YYYY-MM-DD`, a real date in the years 1900 to 2999; nothing otherwise.
[[nodiscard]] std::optional<Date> parse_date(std::string_view text);

/// A point in time: microseconds since 1970-01-01T00:00:00Z.
struct Instant {
    std::int64_t microseconds = 0;
    auto operator<=>(const Instant&) const = default;
};

/// Reads `YYYY-MM-DDTHH:MM:SS[.f{1,6}](Z|+HH:MM|-HH:MM)`: capital T and Z, a date that parse_date() takes,
/// hours to 23, minutes and seconds to 59, offsets to 14:00. For everything else returns false, and leaves
/// `instant` as it was.
[[nodiscard]] bool read_datetime(std::string_view text, Instant& instant);

/// Returns the instant that read_datetime() reads; nothing if it reads none. Inline, because payloads are
/// full of instants, and returning an optional from another file takes as long as reading an instant.
[[nodiscard]] inline std::optional<Instant> parse_datetime(std::string_view text) {
    Instant instant;
    return read_datetime(text, instant) ? std::optional(instant) : std::nullopt;
}

/// Writes `YYYY-MM-DDTHH:MM:SSZ` in UTC, years 0 to 9999. A fraction other than zero follows as `.ffffff`
/// without zeros at its end.
[[nodiscard]] std::string to_text(Instant instant);
/// Appends the text that to_text() returns.
void append_text(std::string& text, Instant instant);
/// Appends the date `days` days after 1970-01-01 as `YYYY-MM-DD`, years 0 to 9999.
void append_date(std::string& text, std::int64_t days);

/// Returns the current time.
[[nodiscard]] Instant now();

}  // namespace data_import::util
