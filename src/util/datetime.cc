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

/// Appends the lowest `count` decimal digits of a number.
void append_digits(std::string& text, std::int64_t number, std::size_t count) {
    text.append(count, '0');
    for (auto digit = text.rbegin(); count-- > 0; ++digit, number /= 10) {
        *digit = static_cast<char>('0' + number % 10);
    }
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
    using namespace std::chrono;
    const sys_time<microseconds> point{microseconds(instant.microseconds)};
    const sys_days midnight = floor<days>(point);
    const year_month_day date(midnight);
    const hh_mm_ss time(point - midnight);
    std::string text;
    append_digits(text, static_cast<int>(date.year()), 4);
    append_digits(text += '-', static_cast<unsigned>(date.month()), 2);
    append_digits(text += '-', static_cast<unsigned>(date.day()), 2);
    append_digits(text += 'T', time.hours().count(), 2);
    append_digits(text += ':', time.minutes().count(), 2);
    append_digits(text += ':', time.seconds().count(), 2);
    if (const std::int64_t fraction = time.subseconds().count(); fraction != 0) {
        append_digits(text += '.', fraction, max_fraction_digits);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text += 'Z';
}

Instant now() {
    using namespace std::chrono;
    return {duration_cast<microseconds>(system_clock::now().time_since_epoch()).count()};
}

}  // namespace data_import::util
