#include "data/schema/canonical.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/util/datetime.h"
#include "base/util/decimal.h"
#include "data/json/writer.h"
#include "data/schema/node.h"

namespace data_import::schema {

using json::Type;
using json::Value;

namespace {

class Canonical {
public:
    explicit Canonical(std::string& text) : text_(text) {}

    void write(const Schema& schema, const Value& value) {
        std::visit([&](const auto& node) { write(node, value); }, schema.node().kind);
    }

private:
    /// Writes an object, its members in the order of their names. The place of each member is searched from
    /// the place after the previous one, because most members come in the order of the declaration.
    void write(const ObjectNode& node, const Value& value) {
        const std::size_t first = members_.size();
        members_.resize(first + node.fields.size());
        std::size_t expected = 0;
        for (const auto& [name, member] : value.members()) {
            const std::size_t place = place_of(name, node.fields, expected);
            if (place == node.fields.size()) continue;
            members_[first + place] = member;
            expected = place + 1;
        }
        char separator = '{';
        for (const std::size_t place : node.sorted) {
            const std::optional<Value> member = members_[first + place];
            if (!member) continue;
            (text_ += separator) += node.fields[place].key;
            write(node.fields[place].schema, *member);
            separator = ',';
        }
        text_ += separator == '{' ? "{}" : "}";
        members_.resize(first);
    }
    void write(const ArrayNode& node, const Value& value) {
        char separator = '[';
        for (const Value item : value.items()) {
            text_ += separator;
            write(node.item, item);
            separator = ',';
        }
        text_ += separator == '[' ? "[]" : "]";
    }
    void write(const VariantNode& node, const Value& value) { write(alternative_of(node, value), value); }
    void write(const NullableNode& node, const Value& value) {
        value.is(Type::null) ? static_cast<void>(text_ += "null") : write(node.value, value);
    }
    void write(const BooleanNode&, const Value& value) { append_boolean(text_, value.boolean()); }
    void write(const IntegerNode&, const Value& value) { append_integer(text_, value.text()); }
    void write(const DecimalNode&, const Value& value) { append_decimal(text_, value); }
    void write(const DatetimeNode&, const Value& value) {
        append_instant(text_, util::parse_datetime(value.text()).value());
    }
    void write(const ScalarNode&, const Value& value) { append_scalar(text_, value); }
    template <typename Text>
    void write(const Text&, const Value& value) {
        json::append_string(text_, value.text());
    }

    std::string& text_;
    /// The members of all objects that are being written, as a stack: those of the innermost object stand at
    /// the end. Each object has an entry for each of its declared fields, in the order of the declaration;
    /// nothing for a field that was not sent.
    std::vector<std::optional<Value>> members_;
};

}  // namespace

void append_canonical(std::string& text, const Schema& schema, const Value& value) {
    Canonical(text).write(schema, value);
}

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
