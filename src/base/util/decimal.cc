#include "base/util/decimal.h"

#include <algorithm>
#include <charconv>

namespace data_import::util {

namespace {

/// Takes the digits at the start of `rest` away and returns them.
std::string_view take_digits(std::string_view& rest) {
    const auto is_digit = [](char character) { return character >= '0' && character <= '9'; };
    const auto end = std::ranges::find_if_not(rest, is_digit);
    const std::string_view digits(rest.begin(), end);
    rest = std::string_view(end, rest.end());
    return digits;
}

bool take(std::string_view& rest, char wanted) {
    if (rest.empty() || rest.front() != wanted) return false;
    rest.remove_prefix(1);
    return true;
}

void strip_leading_zeros(std::string& digits) {
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
}

/// Takes a decimal from the start of `rest`. `whole` keeps its leading zeros.
std::optional<DecimalView> take_plain(std::string_view& rest) {
    DecimalView decimal{};
    decimal.negative = take(rest, '-');
    decimal.whole = take_digits(rest);
    if (decimal.whole.empty()) return std::nullopt;
    if (take(rest, '.')) {
        decimal.fraction = take_digits(rest);
        if (decimal.fraction.empty()) return std::nullopt;
    }
    return decimal;
}

Decimal copy_of(const DecimalView& decimal) {
    return {decimal.negative, std::string(decimal.whole), std::string(decimal.fraction)};
}

/// Reads an exponent `[eE][+-]?[0-9]+`; 0 for an empty text. Returns nothing for any other text. An exponent
/// above 1,000,000 becomes 1,000,000, and one below -1,000,000 becomes -1,000,000. shift() refuses all of
/// these exponents.
std::optional<long> read_exponent(std::string_view rest) {
    constexpr long beyond = 1'000'000;
    if (rest.empty()) return 0;
    if (!take(rest, 'e') && !take(rest, 'E')) return std::nullopt;
    const bool negative = take(rest, '-');
    if (!negative) take(rest, '+');
    const std::string_view digits = take_digits(rest);
    if (digits.empty() || !rest.empty()) return std::nullopt;
    long exponent = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc())
        exponent = beyond;
    exponent = std::min(exponent, beyond);
    return negative ? -exponent : exponent;
}

/// Moves the point by `exponent` places to the right. Returns false if the decimal would get more than
/// max_decimal_digits digits.
bool shift(Decimal& decimal, long exponent) {
    const auto places = static_cast<std::size_t>(exponent < 0 ? -exponent : exponent);
    const std::size_t available = exponent < 0 ? decimal.whole.size() : decimal.fraction.size();
    const std::size_t padding = places > available ? places - available : 0;
    if (decimal.whole.size() + decimal.fraction.size() + padding > max_decimal_digits) return false;
    const std::size_t moved = places - padding;
    if (exponent < 0) {
        decimal.fraction.insert(0, decimal.whole, decimal.whole.size() - moved);
        decimal.fraction.insert(0, padding, '0');
        decimal.whole.erase(decimal.whole.size() - moved);
    } else {
        decimal.whole.append(decimal.fraction, 0, moved);
        decimal.whole.append(padding, '0');
        decimal.fraction.erase(0, moved);
    }
    return true;
}

}  // namespace

bool Decimal::is_zero() const {
    return whole.find_first_not_of('0') == std::string::npos &&
           fraction.find_first_not_of('0') == std::string::npos;
}

std::string Decimal::to_text() const {
    std::string text = negative && !is_zero() ? "-" : "";
    text += whole.empty() ? "0" : whole;
    if (!fraction.empty()) text.append(1, '.').append(fraction);
    return text;
}

std::optional<DecimalView> plain_decimal(std::string_view text) {
    auto decimal = take_plain(text);
    if (!decimal || !text.empty()) return std::nullopt;
    decimal->whole.remove_prefix(std::min(decimal->whole.find_first_not_of('0'), decimal->whole.size()));
    return decimal;
}

std::string_view without_zeros_at_end(std::string_view digits) {
    return digits.substr(0, digits.find_last_not_of('0') + 1);
}

bool is_zero_number(std::string_view literal) {
    return literal.substr(0, literal.find_first_of("eE")).find_first_not_of("-0.") == std::string_view::npos;
}

bool is_json_number(std::string_view literal) {
    take(literal, '-');
    const std::string_view whole = take_digits(literal);
    if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return false;
    if (take(literal, '.') && take_digits(literal).empty()) return false;
    return read_exponent(literal).has_value();
}

std::optional<Decimal> parse_json_number(std::string_view literal) {
    const auto plain = take_plain(literal);
    const auto exponent = read_exponent(literal);
    if (!plain || !exponent || (plain->whole.size() > 1 && plain->whole.front() == '0')) return std::nullopt;
    Decimal decimal = copy_of(*plain);
    if (!decimal.is_zero() && !shift(decimal, *exponent)) return std::nullopt;
    strip_leading_zeros(decimal.whole);
    return decimal;
}

std::optional<Decimal> parse_decimal_string(std::string_view text) {
    const auto plain = plain_decimal(text);
    return plain ? std::optional(copy_of(*plain)) : std::nullopt;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
    auto decimal = parse_decimal_string(text);
    return decimal ? decimal : parse_json_number(text);
}

}  // namespace data_import::util
