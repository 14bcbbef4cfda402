#include "schema/canonical_scalars.h"

#include "json/writer.h"
#include "util/decimal.h"

namespace data_import::schema {

using json::Type;
using json::Value;

void append_decimal(std::string& text, const Value& decimal) {
    if (decimal.is(Type::string) || decimal.text().find_first_of("eE") == std::string_view::npos)
        return append_decimal(text, decimal.text());
    append_decimal(text, util::parse_json_number(decimal.text()).value().to_text());
}

void append_decimal(std::string& text, std::string_view decimal) {
    const bool negative = decimal.starts_with('-');
    if (negative) decimal.remove_prefix(1);
    if (decimal.find('.') != std::string_view::npos) {
        decimal = decimal.substr(0, decimal.find_last_not_of('0') + 1);
        if (decimal.ends_with('.')) decimal.remove_suffix(1);
    }
    while (decimal.size() > 1 && decimal.front() == '0' && decimal[1] != '.') decimal.remove_prefix(1);
    text += negative && decimal != "0" ? "\"-" : "\"";
    (text += decimal) += '"';
}

void append_integer(std::string& text, std::string_view literal) {
    text += literal == "-0" ? "0" : literal;
}

void append_scalar(std::string& text, const Value& scalar) {
    switch (scalar.type()) {
        case Type::boolean:
            return append_boolean(text, scalar.boolean());
        case Type::string:
            return json::append_string(text, scalar.text());
        default:
            break;
    }
    scalar.text().find_first_of(".eE") == std::string_view::npos ? append_integer(text, scalar.text())
                                                                 : append_decimal(text, scalar);
}

void append_instant(std::string& text, util::Instant instant) {
    text += '"';
    util::append_text(text, instant);
    text += '"';
}

void append_boolean(std::string& text, bool truth) {
    text += truth ? "true" : "false";
}

}  // namespace data_import::schema
