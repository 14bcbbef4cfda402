#include "base/util/decimal_sum.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "base/util/decimal.h"

namespace data_import::util {

namespace {

void strip_trailing_zeros(std::string& digits) {
    digits.resize(without_zeros_at_end(digits).size());
}

}  // namespace

DecimalSum::Units DecimalSum::append(Units number, std::string_view digits, bool negative) {
    for (const char digit : digits) {
        const int value = digit - '0';
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, negative ? -value : value, &number))
            throw std::overflow_error("a sum of decimals has too many digits");
    }
    return number;
}

/// Adds a decimal of the usual form: with or without a point, with few enough digits for 64 bits, and with no
/// more than `scale_` digits after the point, not counting zeros at the end. For any other decimal returns
/// false, and adds nothing.
bool DecimalSum::add_short(std::string_view decimal) {
    constexpr std::size_t most_digits = 18;
    const bool negative = decimal.starts_with('-');
    if (negative) decimal.remove_prefix(1);
    const std::size_t point = decimal.find('.');
    std::size_t scale = point == std::string_view::npos ? 0 : decimal.size() - point - 1;
    if (decimal.empty() || point == 0 || decimal.ends_with('.') || decimal.rfind('.') != point) return false;
    for (; scale > scale_ && decimal.ends_with('0'); --scale) decimal.remove_suffix(1);
    if (scale > scale_ || decimal.size() + scale_ > most_digits) return false;
    std::int64_t units = 0;
    for (const char digit : decimal) {
        if (digit == '.') continue;
        if (digit < '0' || digit > '9') return false;
        units = units * 10 + (digit - '0');
    }
    for (std::size_t places = scale; places < scale_; ++places) units *= 10;
    Units sum = units_;
    if (__builtin_add_overflow(sum, negative ? -units : units, &sum)) return false;
    units_ = sum;
    return true;
}

void DecimalSum::add(std::string_view decimal) {
    if (add_short(decimal)) return;
    auto parsed = parse_decimal(decimal);
    if (!parsed) throw std::invalid_argument("no decimal to add");
    strip_trailing_zeros(parsed->fraction);
    const std::size_t scale = std::max(scale_, parsed->fraction.size());
    parsed->fraction.append(scale - parsed->fraction.size(), '0');
    Units added = append(append(0, parsed->whole, parsed->negative), parsed->fraction, parsed->negative);
    if (__builtin_add_overflow(added, append(units_, std::string(scale - scale_, '0'), false), &added))
        throw std::overflow_error("a sum of decimals has too many digits");
    units_ = added;
    scale_ = scale;
}

std::string DecimalSum::to_text() const {
    std::string digits;  // the digits of the sum, from the last to the first
    for (Units rest = units_; rest != 0 || digits.size() <= scale_; rest /= 10) {
        const int digit = static_cast<int>(rest % 10);
        digits += static_cast<char>('0' + (digit < 0 ? -digit : digit));
    }
    std::ranges::reverse(digits);
    std::string fraction = digits.substr(digits.size() - scale_);
    strip_trailing_zeros(fraction);
    const Decimal sum{
        .negative = units_ < 0, .whole = digits.substr(0, digits.size() - scale_), .fraction = fraction};
    return sum.to_text();
}

}  // namespace data_import::util
