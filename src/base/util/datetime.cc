#include "base/util/datetime.h"

#include <algorithm>
#include <chrono>

namespace data_import::util {

namespace {

constexpr std::int64_t microseconds_per_second = 1'000'000;
constexpr std::size_t max_fraction_digits = 6;

constexpr std::size_t date_length = 10;     // length of YYYY-MM-DD
constexpr std::size_t seconds_length = 19;  // length of YYYY-MM-DDTHH:MM:SS
constexpr std::size_t offset_length = 6;    // length of +HH:MM

bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

/// Reads `count` digits as a number; returns a negative number if there are other characters.
template <std::size_t count>
int number_at(const char* text) {
    int value = 0;
    bool are_digits = true;
    for (std::size_t place = 0; place < count; ++place) {
        are_digits &= is_digit(text[place]);
        value = value * 10 + (text[place] - '0');
    }
    return are_digits ? value : -1;
}

bool is_between(int value, int least, int most) {
    return value >= least && value <= most;
}

std::chrono::year_month_day calendar(const Date& date) {
    return std::chrono::year(date.year) / std::chrono::month(static_cast<unsigned>(date.month)) /
           std::chrono::day(static_cast<unsigned>(date.day));
}

/// Reads `date_length` characters. Returns false, and leaves `date` without meaning, if they are no date.
bool read_date(const char* text, Date& date) {
    date.year = number_at<4>(text);
    date.month = number_at<2>(text + 5);
    date.day = number_at<2>(text + 8);
    return text[4] == '-' && text[7] == '-' && is_between(date.year, 1900, 2999) &&
           is_between(date.month, 1, 12) && is_between(date.day, 1, 31) &&
           (date.day <= 28 || calendar(date).ok());
}

/// Reads seconds since midnight; negative if there is no `HH:MM:SS`.
int time_at(const char* text) {
    const int hours = number_at<2>(text);
    const int minutes = number_at<2>(text + 3);
    const int seconds = number_at<2>(text + 6);
    const bool is_time = text[2] == ':' && text[5] == ':' && is_between(hours, 0, 23) &&
                         is_between(minutes, 0, 59) && is_between(seconds, 0, 59);
    return is_time ? (hours * 60 + minutes) * 60 + seconds : -1;
}

/// Takes a point with 1 to 6 digits, and any zeros after these, from the start of `rest`. Returns the
/// microseconds: 0 without a point, nothing for a point without digits.
std::optional<std::int64_t> take_fraction(std::string_view& rest) {
    std::int64_t value = 0;
    if (!rest.starts_with('.')) return value;
    std::size_t digits = 0;
    for (; digits < max_fraction_digits && digits + 1 < rest.size() && is_digit(rest[digits + 1]); ++digits)
        value = value * 10 + (rest[digits + 1] - '0');
    if (digits == 0) return std::nullopt;
    rest.remove_prefix(digits + 1);
    if (digits == max_fraction_digits) rest.remove_prefix(std::min(rest.find_first_not_of('0'), rest.size()));
    for (; digits < max_fraction_digits; ++digits) value *= 10;
    return value;
}

/// Returns the microseconds by which local time is ahead of UTC, for `Z` or `+02:00`; nothing for any other
/// text.
std::optional<std::int64_t> offset_of(std::string_view text) {
    if (text == "Z") return 0;
    if (text.size() != offset_length || (text[0] != '+' && text[0] != '-') || text[3] != ':')
        return std::nullopt;
    const int hours = number_at<2>(text.data() + 1);
    const int minutes = number_at<2>(text.data() + 4);
    if (!is_between(hours, 0, 14) || !is_between(minutes, 0, hours == 14 ? 0 : 59)) return std::nullopt;
    const std::int64_t ahead = (hours * 60 + minutes) * 60 * microseconds_per_second;
    return text[0] == '-' ? -ahead : ahead;
}

/// Writes the lowest `count` decimal digits of a number.
char* put_digits(char* target, std::int64_t number, std::size_t count) {
    for (std::size_t place = count; place-- > 0; number /= 10)
        target[place] = static_cast<char>('0' + number % 10);
    return target + count;
}

char* put_date(char* target, std::chrono::sys_days day) {
    const std::chrono::year_month_day date(day);
    target = put_digits(target, static_cast<int>(date.year()), 4);
    *target++ = '-';
    target = put_digits(target, static_cast<unsigned>(date.month()), 2);
    *target++ = '-';
    return put_digits(target, static_cast<unsigned>(date.day()), 2);
}

}  // namespace

std::optional<Date> parse_date(std::string_view text) {
    if (text.size() != date_length) return std::nullopt;
    Date date;
    return read_date(text.data(), date) ? std::optional(date) : std::nullopt;
}

bool read_datetime(std::string_view text, Instant& instant) {
    Date date;
    if (text.size() <= seconds_length || text[date_length] != 'T' || !read_date(text.data(), date))
        return false;
    const int time = time_at(text.data() + date_length + 1);
    std::string_view rest = text.substr(seconds_length);
    const auto fraction = take_fraction(rest);
    const auto ahead = offset_of(rest);
    if (time < 0 || !fraction || !ahead) return false;
    const std::chrono::microseconds midnight = std::chrono::sys_days(calendar(date)).time_since_epoch();
    instant = {midnight.count() + time * microseconds_per_second + *fraction - *ahead};
    return true;
}

std::string to_text(Instant instant) {
    std::string text;
    append_text(text, instant);
    return text;
}

void append_text(std::string& text, Instant instant) {
    using namespace std::chrono;
    const sys_time<microseconds> point{microseconds(instant.microseconds)};
    const sys_days midnight = floor<days>(point);
    const hh_mm_ss time(point - midnight);
    char buffer[32];
    char* end = put_date(buffer, midnight);
    *end++ = 'T';
    end = put_digits(end, time.hours().count(), 2);
    *end++ = ':';
    end = put_digits(end, time.minutes().count(), 2);
    *end++ = ':';
    end = put_digits(end, time.seconds().count(), 2);
    if (const std::int64_t fraction = time.subseconds().count(); fraction != 0) {
        *end++ = '.';
        end = put_digits(end, fraction, max_fraction_digits);
        while (end[-1] == '0') --end;
    }
    *end++ = 'Z';
    text.append(buffer, end);
}

void append_date(std::string& text, std::int64_t days) {
    char buffer[16];
    text.append(buffer, put_date(buffer, std::chrono::sys_days(std::chrono::days(days))));
}

Instant now() {
    using namespace std::chrono;
    return {duration_cast<microseconds>(system_clock::now().time_since_epoch()).count()};
}

}  // namespace data_import::util
