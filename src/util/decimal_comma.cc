#include "util/decimal_comma.h"

#include <algorithm>

namespace data_import::util {

namespace {

constexpr std::size_t digits_of_group = 3;

bool is_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char byte) { return byte >= '0' && byte <= '9'; });
}

/// `1.234.567` without its points, or digits as they are.
std::optional<std::string> without_points(std::string_view text) {
    std::string digits(text.substr(0, text.find('.')));
    if (!is_digits(digits)) return std::nullopt;
    if (digits.size() == text.size()) return digits;
    if (digits.size() > digits_of_group) return std::nullopt;
    for (text.remove_prefix(digits.size()); !text.empty(); text.remove_prefix(digits_of_group + 1)) {
        const std::string_view group = text.substr(1, digits_of_group);
        if (text.front() != '.' || group.size() != digits_of_group || !is_digits(group)) return std::nullopt;
        digits += group;
    }
    return digits;
}

}  // namespace

std::optional<std::string> from_decimal_comma(std::string_view text) {
    const bool is_negative = text.starts_with('-') || text.ends_with('-');
    if (text.starts_with('-'))
        text.remove_prefix(1);
    else if (is_negative)
        text.remove_suffix(1);  // as SAP writes it
    const std::size_t comma = std::min(text.find(','), text.size());
    const auto whole = without_points(text.substr(0, comma));
    if (!whole) return std::nullopt;
    std::string number = (is_negative ? "-" : "") + *whole;
    if (comma == text.size()) return number;
    const std::string_view decimals = text.substr(comma + 1);
    if (!is_digits(decimals)) return std::nullopt;
    return (number += '.') += decimals;
}

bool has_decimal_comma(std::string_view text) {
    return text.find(',') != std::string_view::npos && from_decimal_comma(text).has_value();
}

}  // namespace data_import::util
