#include "graphql/coercion.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "util/text.h"

namespace data_import::graphql {

namespace {

constexpr std::int64_t smallest_int = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t largest_int = std::numeric_limits<std::int32_t>::max();

std::optional<std::int64_t> read_integer(std::string_view text) {
    std::int64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return number;
}

/// Nothing when it is not finite.
std::optional<double> read_double(std::string_view text) {
    double number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    // What is too small for a double is reported like what is too large, and is as good as zero.
    if (read.ec == std::errc::result_out_of_range && text.find('-', 1) != std::string_view::npos) return 0.0;
    if (read.ec != std::errc() || !std::isfinite(number)) return std::nullopt;
    return number;
}

bool is_int(std::optional<std::int64_t> number) {
    return number && *number >= smallest_int && *number <= largest_int;
}

Value number_of(std::string_view text) {
    if (const auto integer = read_integer(text)) return *integer;
    return read_double(text).value_or(0);
}

// --- literals ---

bool fits_scalar(const ValueNode& literal, ScalarKind scalar) {
    switch (scalar) {
        case ScalarKind::other:
            return true;
        case ScalarKind::integer:
            return literal.kind == ValueKind::integer && is_int(read_integer(literal.text));
        case ScalarKind::floating:
            return (literal.kind == ValueKind::integer || literal.kind == ValueKind::floating) &&
                   read_double(literal.text);
        case ScalarKind::string:
            return literal.kind == ValueKind::string;
        case ScalarKind::boolean:
            return literal.kind == ValueKind::boolean;
        case ScalarKind::id:
            return literal.kind == ValueKind::string || literal.kind == ValueKind::integer;
    }
    return false;
}

const Value* find_variable(const Variables& variables, std::string_view name) {
    const Member* variable = find_by_name(variables, name);
    return variable == nullptr ? nullptr : &variable->value;
}

/// A value of a scalar that takes anything.
Value plain_value(const ValueNode& literal, const Variables& variables) {
    switch (literal.kind) {
        case ValueKind::null:
            return {};
        case ValueKind::boolean:
            return literal.text == "true";
        case ValueKind::integer:
        case ValueKind::floating:
            return number_of(literal.text);
        case ValueKind::string:
            return literal.string;
        case ValueKind::enumeration:
            return literal.text;
        case ValueKind::variable: {
            const Value* given = find_variable(variables, literal.text);
            return given == nullptr ? Value() : *given;
        }
        case ValueKind::list: {
            Value::List items;
            for (const ValueNode& item : literal.items) items.push_back(plain_value(item, variables));
            return items;
        }
        case ValueKind::object: {
            Value::Members members;
            for (const NamedValue& field : literal.fields)
                members.push_back({std::string(field.name.text), plain_value(field.value, variables)});
            return members;
        }
    }
    return {};
}

Value leaf_value(const ValueNode& literal, const NamedType& leaf, const Variables& variables) {
    if (leaf.scalar == ScalarKind::floating) return read_double(literal.text).value_or(0);
    if (leaf.scalar == ScalarKind::id && literal.kind == ValueKind::integer) return literal.text;
    return plain_value(literal, variables);
}

std::optional<Value> list_value(const ValueNode& literal, TypeView item_type, const Variables& variables) {
    Value::List items;
    if (literal.kind != ValueKind::list) {
        auto only = coerce_literal(literal, item_type, variables);
        if (!only) return std::nullopt;
        items.push_back(std::move(*only));
        return items;
    }
    for (const ValueNode& item : literal.items) {
        if (is_missing(item, variables) && !item_type.is_non_null()) {
            items.emplace_back();
            continue;
        }
        auto value = coerce_literal(item, item_type, variables);
        if (!value) return std::nullopt;
        items.push_back(std::move(*value));
    }
    return items;
}

const ValueNode* find_field(const ValueNode& object, std::string_view name) {
    for (const NamedValue& field : object.fields) {
        if (field.name.text == name) return &field.value;
    }
    return nullptr;
}

std::optional<Value> object_value(const ValueNode& literal, const NamedType& type,
                                  const Variables& variables) {
    if (literal.kind != ValueKind::object) return std::nullopt;
    Value::Members members;
    for (const InputDefinition& input : type.inputs) {
        const ValueNode* field = find_field(literal, input.name);
        if (field == nullptr || is_missing(*field, variables)) {
            if (input.is_required()) return std::nullopt;
            if (input.default_value) members.push_back({input.name, *input.default_value});
            continue;
        }
        auto value = coerce_literal(*field, input.type.view(), variables);
        if (!value) return std::nullopt;
        members.push_back({input.name, std::move(*value)});
    }
    for (const NamedValue& field : literal.fields) {
        if (find_by_name(type.inputs, field.name.text) == nullptr) return std::nullopt;
    }
    return members;
}

// --- JSON ---

/// Whole numbers are whole in every notation that JSON has for them: 100, 100.0, 1e2.
std::optional<std::int64_t> whole_number(const json::Value& json) {
    if (!json.is(json::Type::number)) return std::nullopt;
    if (const auto integer = read_integer(json.text())) return integer;
    constexpr double exact = 9007199254740992.0;  // beyond it, doubles skip whole numbers
    const auto number = read_double(json.text());
    if (!number || std::abs(*number) > exact || std::trunc(*number) != *number) return std::nullopt;
    return static_cast<std::int64_t>(*number);
}

Value any_value(const json::Value& json) {
    switch (json.type()) {
        case json::Type::null:
            return {};
        case json::Type::boolean:
            return json.boolean();
        case json::Type::number:
            return number_of(json.text());
        case json::Type::string:
            return json.text();
        case json::Type::array: {
            Value::List items;
            for (const json::Value item : json.items()) items.push_back(any_value(item));
            return items;
        }
        case json::Type::object: {
            Value::Members members;
            for (const auto& [key, member] : json.members())
                members.push_back({std::string(key), any_value(member)});
            return members;
        }
    }
    return {};
}

std::optional<Value> leaf_value(const json::Value& json, const NamedType& leaf) {
    if (leaf.kind == TypeKind::enumeration) {
        const bool known = json.is(json::Type::string) && find_by_name(leaf.values, json.text()) != nullptr;
        return known ? std::optional<Value>(json.text()) : std::nullopt;
    }
    switch (leaf.scalar) {
        case ScalarKind::other:
            return any_value(json);
        case ScalarKind::integer: {
            const auto number = whole_number(json);
            return is_int(number) ? std::optional<Value>(*number) : std::nullopt;
        }
        case ScalarKind::floating: {
            const auto number = json.is(json::Type::number) ? read_double(json.text()) : std::nullopt;
            return number ? std::optional<Value>(*number) : std::nullopt;
        }
        case ScalarKind::id:
            if (const auto number = whole_number(json)) return std::to_string(*number);
            [[fallthrough]];
        case ScalarKind::string:
            return json.is(json::Type::string) ? std::optional<Value>(json.text()) : std::nullopt;
        case ScalarKind::boolean:
            return json.is(json::Type::boolean) ? std::optional<Value>(json.boolean()) : std::nullopt;
    }
    return std::nullopt;
}

Value coerce_list(const json::Value& json, TypeView item_type, const std::string& place,
                  const Complain& complain) {
    Value::List items;
    if (!json.is(json::Type::array)) {
        items.push_back(coerce_json(json, item_type, place, complain));
        return items;
    }
    for (const json::Value item : json.items()) {
        items.push_back(
            coerce_json(item, item_type, place + '[' + std::to_string(items.size()) + ']', complain));
    }
    return items;
}

Value coerce_object(const json::Value& json, const NamedType& type, const std::string& place,
                    const Complain& complain) {
    if (!json.is(json::Type::object)) {
        complain(place + " has to be an object of type " + type.name + '.');
        return {};
    }
    Value::Members members;
    for (const InputDefinition& input : type.inputs) {
        const std::string field = place + '.' + input.name;
        if (const auto given = json.find(input.name)) {
            members.push_back({input.name, coerce_json(*given, input.type.view(), field, complain)});
        } else if (input.default_value) {
            members.push_back({input.name, *input.default_value});
        } else if (input.is_required()) {
            complain(field + " is missing; it is a required " + input.type.view().text() + '.');
        }
    }
    for (const auto& [key, member] : json.members()) {
        if (find_by_name(type.inputs, key) == nullptr)
            complain(type.name + " has no field " + place + '.' +
                     std::string(util::first_code_points(key, 64)) + '.');
    }
    return members;
}

}  // namespace

bool is_missing(const ValueNode& literal, const Variables& variables) {
    return literal.kind == ValueKind::variable && find_variable(variables, literal.text) == nullptr;
}

bool fits_leaf(const ValueNode& literal, const NamedType& leaf) {
    if (leaf.kind != TypeKind::enumeration) return fits_scalar(literal, leaf.scalar);
    return literal.kind == ValueKind::enumeration && find_by_name(leaf.values, literal.text) != nullptr;
}

std::optional<Value> coerce_literal(const ValueNode& literal, TypeView type, const Variables& variables) {
    if (literal.kind == ValueKind::variable) {
        const Value* given = find_variable(variables, literal.text);
        if (given == nullptr || (given->is_null() && type.is_non_null())) return std::nullopt;
        return *given;
    }
    if (literal.kind == ValueKind::null) return type.is_non_null() ? std::nullopt : std::optional(Value());
    const TypeView nullable = type.nullable();
    if (nullable.is_list()) return list_value(literal, nullable.inner(), variables);
    if (type.named->kind == TypeKind::input_object) return object_value(literal, *type.named, variables);
    if (!fits_leaf(literal, *type.named)) return std::nullopt;
    return leaf_value(literal, *type.named, variables);
}

std::optional<Value> coerce_constant(const ValueNode& literal, TypeView type) {
    return coerce_literal(literal, type, {});
}

Value coerce_json(const json::Value& json, TypeView type, const std::string& place,
                  const Complain& complain) {
    if (json.is(json::Type::null)) {
        if (type.is_non_null()) complain(place + " must not be null; it is of type " + type.text() + '.');
        return {};
    }
    const TypeView nullable = type.nullable();
    if (nullable.is_list()) return coerce_list(json, nullable.inner(), place, complain);
    if (type.named->kind == TypeKind::input_object) return coerce_object(json, *type.named, place, complain);
    auto value = leaf_value(json, *type.named);
    if (!value) complain(place + " is not a value of type " + type.named->name + '.');
    return std::move(value).value_or(Value());
}

}  // namespace data_import::graphql
