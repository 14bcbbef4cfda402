#include "base/util/decimal_comma.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/util/decimal.h"
#include "base/util/invisible.h"
#include "base/util/joined.h"

namespace data_import::util {

namespace {

struct Replacement {
    std::string_view sent;
    std::string_view ascii;
    std::string_view mark;
};

constexpr Replacement replacements[] = {
    // Apple's Numbers and typesetting programs write this minus.
    {"\xE2\x88\x92", "-", "the minus sign U+2212"},
    {"\xE2\x80\x93", "-", "the dash U+2013"},
    {"\xE2\x80\x99", "'", ""},
    {"\xC2\xA0", " ", ""},
    {"\xE2\x80\xAF", " ", ""},
    {"\xE2\x80\x89", " ", ""},
};

struct Currency {
    std::string_view sign;
    std::string_view code;
};

constexpr Currency currencies[] = {
    {"€", "EUR"},   {"EUR", "EUR"}, {"CHF", "CHF"}, {"Fr.", "CHF"}, {"SFr.", "CHF"}, {"$", "USD"},
    {"USD", "USD"}, {"£", "GBP"},   {"GBP", "GBP"}, {"PLN", "PLN"}, {"zł", "PLN"},   {"CZK", "CZK"},
    {"Kč", "CZK"},  {"DKK", "DKK"}, {"SEK", "SEK"}, {"NOK", "NOK"}, {"HUF", "HUF"},
};

bool is_digit(char byte) {
    return byte >= '0' && byte <= '9';
}

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

std::string_view without_blanks_around(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// The part of a number before its decimal mark: digits, in groups of thousands or without groups.
struct Whole {
    std::string digits;
    char separator = '\0';
    std::size_t separators = 0;
};

std::optional<Whole> read_whole(std::string_view text) {
    constexpr std::size_t digits_of_group = 3;
    const std::size_t first = std::min(text.find_first_of(".' "), text.size());
    Whole whole{.digits = std::string(text.substr(0, first))};
    if (!is_digits(whole.digits)) return std::nullopt;
    if (first == text.size()) return whole;
    if (first > digits_of_group || text.front() == '0') return std::nullopt;
    whole.separator = text[first];
    for (text.remove_prefix(first); !text.empty(); text.remove_prefix(digits_of_group + 1)) {
        const std::string_view group = text.substr(1, digits_of_group);
        if (text.front() != whole.separator || group.size() != digits_of_group || !is_digits(group))
            return std::nullopt;
        whole.digits += group;
        ++whole.separators;
    }
    return whole;
}

std::string in_ascii(std::string_view text) {
    std::string ascii(text);
    for (const Replacement& one : replacements) {
        for (std::size_t at = 0; (at = ascii.find(one.sent, at)) != std::string::npos;)
            ascii.replace(at, one.sent.size(), one.ascii);
    }
    return ascii;
}

/// Takes brackets, currency and minus off the ends of a text, and then reads the number between them.
class Reader {
public:
    explicit Reader(std::string_view text) : text_(in_ascii(text)), rest_(without_blanks_around(text_)) {
        for (const Replacement& one : replacements) {
            if (!one.mark.empty() && text.find(one.sent) != std::string_view::npos) add(one.mark);
        }
    }

    std::optional<WrittenNumber> read() {
        while (take_brackets() || take_currency() || take_minus()) rest_ = without_blanks_around(rest_);
        if (has_brackets_ && has_minus_) return std::nullopt;
        return read_number() ? std::optional(std::move(number_)) : std::nullopt;
    }

private:
    void add(std::string_view mark) { number_.marks.push_back(mark); }

    bool take_brackets() {
        if (has_brackets_ || !rest_.starts_with('(') || !rest_.ends_with(')')) return false;
        has_brackets_ = true;
        add("brackets in place of a minus");
        rest_ = rest_.substr(1, rest_.size() - 2);
        return true;
    }

    bool take_currency() {
        const auto* const known = std::ranges::find_if(currencies, [this](const Currency& currency) {
            return rest_.starts_with(currency.sign) || rest_.ends_with(currency.sign);
        });
        if (!number_.currency.empty() || known == std::end(currencies)) return false;
        number_.currency = known->code;
        add("a currency");
        const std::size_t size = known->sign.size();
        rest_ = rest_.starts_with(known->sign) ? rest_.substr(size) : rest_.substr(0, rest_.size() - size);
        return true;
    }

    bool take_minus() {
        if (has_minus_ || (!rest_.starts_with('-') && !rest_.ends_with('-'))) return false;
        has_minus_ = true;
        if (rest_.starts_with('-')) {
            rest_.remove_prefix(1);
            return true;
        }
        // SAP writes the minus after the number.
        add("its minus after it");
        rest_.remove_suffix(1);
        return true;
    }

    [[nodiscard]] bool has_comma() const { return rest_.find(',') != std::string_view::npos; }

    bool read_number() {
        if (has_comma()) {
            number_.marks.insert(number_.marks.begin(), "a decimal comma");
            return read_parts(rest_.find(','));
        }
        if (const auto whole = read_whole(rest_)) {
            number_.is_ambiguous = whole->separator == '.' && whole->separators == 1;
            return take(*whole, {});
        }
        const std::size_t point = rest_.rfind('.');
        return point != std::string_view::npos && read_parts(point) && !number_.marks.empty();
    }

    /// Reads the number whose decimal mark stands at `place`.
    bool read_parts(std::size_t place) {
        const auto whole = read_whole(rest_.substr(0, place));
        const std::string_view fraction = rest_.substr(place + 1);
        if (!whole || !is_digits(fraction) || whole->separator == rest_[place]) return false;
        return take(*whole, fraction);
    }

    bool take(const Whole& whole, std::string_view fraction) {
        if (whole.separator == '.' && fraction.empty()) add("points between thousands");
        if (whole.separator == '\'' && !has_comma()) add("apostrophes between thousands");
        if (whole.separator == ' ' && !has_comma()) add("blanks between thousands");
        number_.plain = (has_brackets_ || has_minus_ ? "-" : "") + whole.digits;
        if (!fraction.empty()) (number_.plain += '.') += fraction;
        return true;
    }

    const std::string text_;
    std::string_view rest_;
    WrittenNumber number_;
    bool has_brackets_ = false;
    bool has_minus_ = false;
};

}  // namespace

std::optional<WrittenNumber> read_decimal_comma(std::string_view text) {
    return Reader(text).read();
}

std::string decimal_comma_fault(std::string_view text) {
    constexpr std::string_view expected = ": 12,50 or 1.234,50";
    if (plain_decimal(text))
        return "has no decimal comma, which --decimal-comma expects" + std::string(expected);
    const auto hidden = find_invisible(text);
    const std::string cause = hidden ? " and " + to_text(*hidden) : std::string();
    return "is no number with a decimal comma" + cause + std::string(expected);
}

std::string decimal_comma_marks(std::string_view text) {
    const auto number = plain_decimal(text) ? std::nullopt : read_decimal_comma(text);
    return number ? joined(number->marks) : std::string();
}

}  // namespace data_import::util
