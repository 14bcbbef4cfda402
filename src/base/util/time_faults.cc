#include "base/util/time_faults.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/util/datetime.h"
#include "base/util/whole_number.h"

namespace data_import::util {

namespace {

constexpr std::size_t length_of_date = 10;
constexpr std::size_t most_fraction_digits = 6;
constexpr std::string_view minus_sign_of_unicode = "\xE2\x88\x92";

/// Returns whether the text begins with the pattern. A 0 in the pattern stands for any digit.
bool begins_as(std::string_view text, std::string_view pattern) {
    return text.size() >= pattern.size() &&
           std::equal(pattern.begin(), pattern.end(), text.begin(), [](char wanted, char there) {
               return wanted == '0' ? there >= '0' && there <= '9' : there == wanted;
           });
}

bool is_written_as(std::string_view text, std::string_view pattern) {
    return text.size() == pattern.size() && begins_as(text, pattern);
}

bool is_one_of(char character, std::string_view others) {
    return others.find(character) != std::string_view::npos;
}

int two_digits(std::string_view text, std::size_t place) {
    return whole_number<int>(text.substr(place, 2)).value();
}

/// Reads a text from its beginning to its end, and collects the faults of each part.
class TimeFaults {
public:
    explicit TimeFaults(std::string_view text) : rest_(text) {}

    std::string of_date() {
        take_blanks();
        if (take_date() && !rest_.empty()) {
            add(is_one_of(rest_.front(), "Tt ") ? "nothing may stand behind the day, no time either"
                                                : "nothing may stand behind the day");
        }
        return std::move(causes_);
    }

    std::string of_datetime() {
        take_blanks();
        if (take_date() && take_separator()) {
            take_clock();
            take_fraction();
            check_zone();
        }
        return std::move(causes_);
    }

private:
    void add(std::string_view cause) { (causes_ += causes_.empty() ? "" : "; ") += cause; }

    /// Removes the blanks around the text, and notes them as a fault.
    void take_blanks() {
        constexpr std::string_view blanks = " \t\r\n";
        const std::size_t first = rest_.find_first_not_of(blanks);
        if (first == std::string_view::npos) return;
        const std::size_t last = rest_.find_last_not_of(blanks);
        if (first > 0 || last + 1 < rest_.size()) add("no blanks may stand around it");
        rest_ = rest_.substr(first, last - first + 1);
    }

    /// Takes the date, and notes its faults. Returns false if the end of the date cannot be found.
    bool take_date() {
        if (!begins_as(rest_, "0000-00-00")) {
            add("the date must be written as YYYY-MM-DD");
            rest_.remove_prefix(std::min(rest_.find_first_of("Tt "), rest_.size()));
            return !rest_.empty();
        }
        const std::string_view date = rest_.substr(0, length_of_date);
        rest_.remove_prefix(length_of_date);
        if (!parse_date(date)) add(fault_in_calendar(date));
        return true;
    }

    static std::string_view fault_in_calendar(std::string_view date) {
        if (date < "1900" || date >= "3000") return "the year must be from 1900 to 2999";
        const int month = two_digits(date, 5);
        return month < 1 || month > 12 ? "the month must be from 01 to 12" : "the month has no such day";
    }

    bool take_separator() {
        if (rest_.empty()) {
            add("the time of day is missing");
            return false;
        }
        const char separator = rest_.front();
        rest_.remove_prefix(1);
        if (separator == 'T') return true;
        add(separator == 't' ? "the T between date and time must be a capital"
                             : "a T must stand between date and time, and no blank");
        return separator == 't' || separator == ' ';
    }

    void take_clock() {
        if (begins_as(rest_, "00:00:00")) {
            check_range(two_digits(rest_, 6), "the second must be from 00 to 59, leap seconds are not taken");
            check_clock(8);
        } else if (begins_as(rest_, "00:00") && (rest_.size() == 5 || is_one_of(rest_[5], "Zz+- "))) {
            add("the seconds are missing (13:45:00, not 13:45)");
            check_clock(5);
        } else {
            add("the time of day must be written as HH:MM:SS");
            rest_.remove_prefix(std::min(rest_.find_first_of(".,Zz+-"), rest_.size()));
        }
    }

    /// Checks the range of hour and minute, which are digits, and passes over the `length` characters of the
    /// time.
    void check_clock(std::size_t length) {
        check_range(two_digits(rest_, 3), "the minute must be from 00 to 59");
        if (two_digits(rest_, 0) > 23)
            add("the hour must be from 00 to 23, midnight is 00:00:00 of the day that begins");
        rest_.remove_prefix(length);
    }

    void check_range(int value, std::string_view cause) {
        if (value > 59) add(cause);
    }

    void take_fraction() {
        if (rest_.empty() || !is_one_of(rest_.front(), ".,")) return;
        if (rest_.front() == ',') add("the fraction of a second must have a point before it, not a comma");
        rest_.remove_prefix(1);
        const std::size_t length = std::min(rest_.find_first_not_of("0123456789"), rest_.size());
        const std::string_view behind_sixth = rest_.substr(std::min(most_fraction_digits, length),
                                                           length - std::min(most_fraction_digits, length));
        rest_.remove_prefix(length);
        if (length == 0) add("digits must stand behind the point of the second");
        if (behind_sixth.find_first_not_of('0') != std::string_view::npos) {
            add("the fraction of a second has a seventh digit other than 0; cut it to six digits");
        }
    }

    void check_zone() {
        if (rest_.empty()) return add("the time zone is missing: Z for UTC, or an offset like +01:00");
        if (rest_ == "Z") return;
        if (rest_ == "z") return add("the Z of the time zone must be a capital");
        const bool has_sign = is_one_of(rest_.front(), "+-");
        const std::string_view offset = rest_.substr(has_sign ? 1 : 0);
        if (has_sign && is_written_as(offset, "00:00")) return check_offset(offset);
        if (has_sign && is_written_as(offset, "0000"))
            return add("the offset must have a colon (+01:00, not +0100)");
        if (has_sign && is_written_as(offset, "00"))
            return add("the offset must have minutes (+01:00, not +01)");
        if (rest_.starts_with(minus_sign_of_unicode))
            return add("the sign of the offset must be a plus or the hyphen of ASCII");
        if (rest_.front() == 'Z' || (has_sign && begins_as(offset, "00:00")))
            return add("nothing may stand behind the time zone, no name of a zone either");
        add("the time zone must be Z for UTC, or an offset like +01:00");
    }

    void check_offset(std::string_view offset) {
        const int minutes = two_digits(offset, 3);
        if (minutes > 59) {
            add("the minutes of the offset must be from 00 to 59");
        } else if (two_digits(offset, 0) * 60 + minutes > 14 * 60) {
            add("the offset must be from -14:00 to +14:00");
        }
    }

    std::string_view rest_;
    std::string causes_;
};

}  // namespace

std::string date_faults(std::string_view text) {
    return TimeFaults(text).of_date();
}

std::string datetime_faults(std::string_view text) {
    return TimeFaults(text).of_datetime();
}

}  // namespace data_import::util
