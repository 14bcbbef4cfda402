#include "util/datetime.h"

#include <chrono>

namespace data_import::util {

namespace {

constexpr std::int64_t microseconds_per_second = 1'000'000;
constexpr std::size_t max_fraction_digits = 6;

/// Reads a text from left to right; the first thing that does not fit makes it fail for good.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    /// Exactly `count` ASCII digits as a number between `least` and `most`.
    int number(std::size_t count, int least, int most) {
        int value = 0;
        for (std::size_t digit = 0; digit < count; ++digit) value = value * 10 + next_digit();
        if (value < least || value > most) failed_ = true;
        return value;
    }

    void expect(char wanted) {
        if (!take(wanted)) failed_ = true;
    }

    bool take(char wanted) {
        if (rest_.empty() || rest_.front() != wanted) return false;
        rest_.remove_prefix(1);
        return true;
    }

    /// 1 to 6 digits of a fraction of a second, in microseconds.
    std::int64_t fraction() {
        std::size_t digits = 0;
        std::int64_t value = 0;
        for (; digits < max_fraction_digits && at_digit(); ++digits) value = value * 10 + next_digit();
        if (digits == 0) failed_ = true;
        for (; digits < max_fraction_digits; ++digits) value *= 10;
        return value;
    }

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] bool done() const { return !failed_ && rest_.empty(); }

private:
    [[nodiscard]] bool at_digit() const {
        return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9';
    }

    int next_digit() {
        if (!at_digit()) {
            failed_ = true;
            return 0;
        }
        const int digit = rest_.front() - '0';
        rest_.remove_prefix(1);
        return digit;
    }

    std::string_view rest_;
    bool failed_ = false;
};

std::chrono::year_month_day calendar(const Date& date) {
    return std::chrono::year(date.year) / std::chrono::month(static_cast<unsigned>(date.month)) /
           std::chrono::day(static_cast<unsigned>(date.day));
}

std::optional<Date> scan_date(Scanner& scanner) {
    Date date;
    date.year = scanner.number(4, 1900, 2999);
    scanner.expect('-');
    date.month = scanner.number(2, 1, 12);
    scanner.expect('-');
    date.day = scanner.number(2, 1, 31);
    if (scanner.failed() || !calendar(date).ok()) return std::nullopt;
    return date;
}

/// Microseconds since midnight.
std::int64_t scan_time(Scanner& scanner) {
    const int hours = scanner.number(2, 0, 23);
    scanner.expect(':');
    const int minutes = scanner.number(2, 0, 59);
    scanner.expect(':');
    const int seconds = scanner.number(2, 0, 59);
    const std::int64_t whole = ((hours * 60) + minutes) * 60 + seconds;
    return whole * microseconds_per_second + (scanner.take('.') ? scanner.fraction() : 0);
}

/// Microseconds that the local time is ahead of UTC.
std::int64_t scan_offset(Scanner& scanner) {
    if (scanner.take('Z')) return 0;
    const bool behind = scanner.take('-');
    if (!behind) scanner.expect('+');
    const int hours = scanner.number(2, 0, 14);
    scanner.expect(':');
    const int minutes = scanner.number(2, 0, hours == 14 ? 0 : 59);
    const std::int64_t ahead = ((hours * 60) + minutes) * 60 * microseconds_per_second;
    return behind ? -ahead : ahead;
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
    Scanner scanner(text);
    const auto date = scan_date(scanner);
    return scanner.done() ? date : std::nullopt;
}

std::optional<Instant> parse_datetime(std::string_view text) {
    Scanner scanner(text);
    const auto date = scan_date(scanner);
    if (!date) return std::nullopt;
    scanner.expect('T');
    const std::int64_t time = scan_time(scanner);
    const std::int64_t ahead = scan_offset(scanner);
    if (!scanner.done()) return std::nullopt;
    const std::chrono::microseconds midnight = std::chrono::sys_days(calendar(*date)).time_since_epoch();
    return Instant{midnight.count() + time - ahead};
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
