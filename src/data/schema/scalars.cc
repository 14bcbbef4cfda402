#include "data/schema/scalars.h"

#include <algorithm>
#include <charconv>

#include "base/util/datetime.h"
#include "base/util/decimal.h"
#include "base/util/joined.h"
#include "base/util/text.h"
#include "base/util/time_faults.h"

namespace data_import::schema {

namespace {

using json::Type;
using json::Value;

Fault blank() {
    return {Code::blank, "This value must not be empty or consist of white space only."};
}

Fault too_long(std::size_t max) {
    return {Code::max_length, "This value must have at most " + counted(max, "character") + "."};
}

Fault too_small(std::int64_t min) {
    return {Code::min_value, "This value must not be less than " + std::to_string(min) + "."};
}

Fault too_large(std::int64_t max) {
    return {Code::max_value, "This value must not be greater than " + std::to_string(max) + "."};
}

/// Returns whether a text has more than `max` code points. Most texts do not even have more bytes, so their
/// code points need not be counted.
bool is_longer(std::string_view text, std::size_t max) {
    return text.size() > max && util::count_code_points(text) > max;
}

struct DecimalPlaces {
    std::size_t whole;
    std::size_t fraction;
};

/// Returns the numbers of digits before and after the point, without the zeros at either end. Tries the form
/// without an exponent first, because most decimals have none.
std::optional<DecimalPlaces> places_of(const Value& value) {
    if (const auto plain = util::plain_decimal(value.text()))
        return DecimalPlaces{plain->whole.size(), util::without_zeros_at_end(plain->fraction).size()};
    if (value.is(Type::string)) return std::nullopt;
    const auto decimal = util::parse_json_number(value.text());
    if (!decimal) return std::nullopt;
    return DecimalPlaces{decimal->whole.size(), util::without_zeros_at_end(decimal->fraction).size()};
}

bool is_positive(const Value& number) {
    const auto decimal = util::parse_decimal(number.text());
    return decimal && !decimal->negative && !decimal->is_zero();
}

}  // namespace

std::optional<Fault> fault_of(const TextNode& node, const Value& value) {
    if (!value.is(Type::string)) return wrong_form("a string");
    const std::string_view text = value.text();
    if (node.min > 0 && util::is_blank(text)) return blank();
    if (is_longer(text, node.max)) return too_long(node.max);
    return std::nullopt;
}

std::optional<Fault> fault_of(const FormNode& node, const Value& value) {
    if (!value.is(Type::string)) return wrong_form(node.form);
    const std::string_view text = value.text();
    if (util::is_blank(text)) return blank();
    if (is_longer(text, node.max)) return too_long(node.max);
    if (node.has_form(text)) return std::nullopt;
    return Fault{node.code, wrong_form(node.form).detail};
}

std::optional<Fault> fault_of(const ChoiceNode& node, const Value& value) {
    if (!value.is(Type::string)) return wrong_form("a string, one of: " + util::joined(node.allowed));
    if (std::find(node.allowed.begin(), node.allowed.end(), value.text()) != node.allowed.end())
        return std::nullopt;
    return Fault{Code::invalid_choice, "This value must be one of: " + util::joined(node.allowed) + "."};
}

std::optional<Fault> fault_of(const BooleanNode&, const Value& value) {
    return value.is(Type::boolean) ? std::nullopt : std::optional(wrong_form("true or false"));
}

std::optional<Fault> fault_of(const IntegerNode& node, const Value& value) {
    if (!value.is(Type::number) || value.text().find_first_of(".eE") != std::string_view::npos) {
        return wrong_form("an integer, written as a number without fraction and exponent");
    }
    const std::string_view literal = value.text();
    std::int64_t number = 0;
    const auto result = std::from_chars(literal.data(), literal.data() + literal.size(), number);
    const bool beyond = result.ec == std::errc::result_out_of_range;
    if (beyond ? literal.front() == '-' : number < node.min) return too_small(node.min);
    if (beyond || number > node.max) return too_large(node.max);
    return std::nullopt;
}

std::optional<Fault> fault_of(const DecimalNode& node, const Value& value) {
    const bool is_string = value.is(Type::string);
    if (!is_string && !value.is(Type::number))
        return wrong_form("a number or a decimal string like \"-12.50\"");
    const auto places = places_of(value);
    if (is_string && !places) {
        return wrong_form(
            "a decimal string like \"-12.50\", without exponent, plus sign and white space, or a number");
    }
    const std::size_t whole = node.precision - node.scale;
    if (places && places->whole > whole) {
        return Fault{Code::max_digits, "This value must have at most " + counted(whole, "digit") +
                                           " before the decimal point."};
    }
    // Numbers from json::read() always have `places`. A number without `places` counts as having too many
    // digits after the point.
    if (!places || places->fraction > node.scale) {
        return Fault{Code::max_decimal_places,
                     "This value must have at most " + counted(node.scale, "digit") +
                         " after the decimal point; zeros at the end do not count."};
    }
    if (node.positive && !is_positive(value)) {
        return Fault{Code::min_value, "This value must be greater than 0."};
    }
    return std::nullopt;
}

std::optional<Fault> fault_of(const DateNode&, const Value& value) {
    constexpr const char* form = "a date like \"2024-02-29\"";
    if (!value.is(Type::string)) return wrong_form(std::string("a string with ") + form);
    if (util::parse_date(value.text())) return std::nullopt;
    return wrong_form(form + (": " + util::date_faults(value.text())));
}

std::optional<Fault> fault_of(const DatetimeNode&, const Value& value) {
    constexpr const char* form =
        "a time like \"2024-02-29T13:45:00Z\" or \"2024-02-29T13:45:00.123456+01:00\"";
    if (!value.is(Type::string)) return wrong_form(std::string("a string with ") + form);
    if (util::parse_datetime(value.text())) return std::nullopt;
    return wrong_form(form + (": " + util::datetime_faults(value.text())));
}

std::optional<Fault> fault_of(const ScalarNode& node, const Value& value) {
    if (value.is(Type::number) || value.is(Type::boolean)) return std::nullopt;
    if (value.is(Type::string)) return fault_of(node.text, value);
    return wrong_form("a string, a number or a boolean");
}

std::optional<Fault> fault_of(const AnyNode&, const Value&) {
    return std::nullopt;
}

std::optional<Fault> fault_of(const AnyObjectNode&, const Value& value) {
    return value.is(Type::object) ? std::nullopt : std::optional(wrong_form("an object"));
}

Fault wrong_form(const std::string& form) {
    return {Code::invalid, "This value must be " + form + "."};
}

std::string counted(std::size_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace data_import::schema
