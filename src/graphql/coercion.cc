#include "graphql/coercion.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <utility>

#include "graphql/error.h"
#include "util/text.h"

namespace data_import::graphql {

namespace {

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
    using Limits = std::numeric_limits<std::int32_t>;
    return number && *number >= Limits::min() && *number <= Limits::max();
}

Value number_of(std::string_view text) {
    if (const auto integer = read_integer(text)) return *integer;
    return read_double(text).value_or(0);
}

// --- literals ---

const Value* find_variable(const Variables& variables, std::string_view name) {
    const Member* variable = find_by_name(variables, name);
    return variable == nullptr ? nullptr : &variable->value;
}

const Literal* find_literal(const std::vector<NamedLiteral>& literals, std::string_view name) {
    for (const NamedLiteral& literal : literals) {
        if (literal.name.text == name) return &literal.value;
    }
    return nullptr;
}

/// A value of a scalar that takes anything.
Value any_value(const Literal& literal, const Variables& variables) {
    switch (literal.kind) {
        case LiteralKind::null:
            return {};
        case LiteralKind::boolean:
            return literal.text == "true";
        case LiteralKind::integer:
        case LiteralKind::floating:
            return number_of(literal.text);
        case LiteralKind::string:
            return literal.string;
        case LiteralKind::enumeration:
            return literal.text;
        case LiteralKind::variable: {
            const Value* given = find_variable(variables, literal.text);
            return given == nullptr ? Value() : *given;
        }
        case LiteralKind::list: {
            Value::List items;
            for (const Literal& item : literal.items) items.push_back(any_value(item, variables));
            return items;
        }
        case LiteralKind::object:
            break;
    }
    Value::Members members;
    for (const NamedLiteral& field : literal.fields)
        members.push_back({std::string(field.name.text), any_value(field.value, variables)});
    return members;
}

Value leaf_value(const Literal& literal, const Type& leaf, const Variables& variables) {
    if (leaf.scalar == ScalarKind::floating) return read_double(literal.text).value_or(0);
    if (leaf.scalar == ScalarKind::id && literal.kind == LiteralKind::integer) return literal.text;
    return any_value(literal, variables);
}

Value list_value(const Literal& literal, TypeView item_type, const Variables& variables) {
    Value::List items;
    if (literal.kind != LiteralKind::list) {
        items.push_back(coerce_literal(literal, item_type, variables));
    } else {
        for (const Literal& item : literal.items) items.push_back(coerce_literal(item, item_type, variables));
    }
    return items;
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
        case json::Type::object:
            break;
    }
    Value::Members members;
    for (const auto& [key, member] : json.members()) members.push_back({std::string(key), any_value(member)});
    return members;
}

std::optional<Value> leaf_value(const json::Value& json, const Type& leaf) {
    const bool is_text = json.is(json::Type::string);
    if (leaf.kind == TypeKind::enumeration && (!is_text || find_by_name(leaf.values, json.text()) == nullptr))
        return std::nullopt;
    switch (leaf.scalar) {
        case ScalarKind::any:
            return any_value(json);
        case ScalarKind::integer:
            if (const auto number = whole_number(json); is_int(number)) return *number;
            return std::nullopt;
        case ScalarKind::floating:
            if (!json.is(json::Type::number) || !read_double(json.text())) return std::nullopt;
            return *read_double(json.text());
        case ScalarKind::id:
            if (const auto number = whole_number(json)) return std::to_string(*number);
            [[fallthrough]];
        case ScalarKind::string:
            return is_text ? std::optional<Value>(json.text()) : std::nullopt;
        case ScalarKind::boolean:
            return json.is(json::Type::boolean) ? std::optional<Value>(json.boolean()) : std::nullopt;
    }
    return std::nullopt;
}

/// Reads the value of one variable.
class JsonReader {
public:
    /// `offset` is where the variable is defined.
    explicit JsonReader(std::uint32_t offset) : offset_(offset) {}

    /// `place` names the value in sentences: `$input.colors[0]`.
    [[nodiscard]] Value read(const json::Value& json, TypeView type, const std::string& place) const {
        if (json.is(json::Type::null)) {
            if (type.is_non_null()) refuse(place + " must not be null; it is of type " + type.text() + '.');
            return {};
        }
        const TypeView nullable = type.nullable();
        if (nullable.is_list()) return list(json, nullable.inner(), place);
        if (type.named->kind == TypeKind::input_object) return object(json, *type.named, place);
        auto value = leaf_value(json, *type.named);
        if (!value) refuse(place + " is not a value of type " + type.named->name + '.');
        return std::move(*value);
    }

    [[noreturn]] void refuse(const std::string& sentence) const {
        throw LocatedError(sentence, code::bad_user_input, offset_);
    }

private:
    [[nodiscard]] Value list(const json::Value& json, TypeView item_type, const std::string& place) const {
        if (!json.is(json::Type::array)) return Value::List{read(json, item_type, place)};
        Value::List items;
        for (const json::Value item : json.items())
            items.push_back(read(item, item_type, place + '[' + std::to_string(items.size()) + ']'));
        return items;
    }

    [[nodiscard]] Value object(const json::Value& json, const Type& type, const std::string& place) const {
        if (!json.is(json::Type::object)) refuse(place + " has to be an object of type " + type.name + '.');
        Value::Members members;
        for (const InputValue& input : type.inputs) {
            const std::string field = place + '.' + input.name;
            if (const auto given = json.find(input.name)) {
                members.push_back({input.name, read(*given, input.type.view(), field)});
            } else if (input.default_value) {
                members.push_back({input.name, *input.default_value});
            } else if (input.is_required()) {
                refuse(field + " is missing; it is a required " + input.type.view().text() + '.');
            }
        }
        for (const auto& [key, member] : json.members()) {
            if (find_by_name(type.inputs, key) == nullptr)
                refuse(type.name + " has no field " + place + '.' +
                       std::string(util::first_code_points(key, 64)) + '.');
        }
        return members;
    }

    std::uint32_t offset_;
};

}  // namespace

bool fits_leaf(const Literal& literal, const Type& leaf) {
    if (leaf.kind == TypeKind::enumeration)
        return literal.kind == LiteralKind::enumeration && find_by_name(leaf.values, literal.text) != nullptr;
    switch (leaf.scalar) {
        case ScalarKind::any:
            return true;
        case ScalarKind::integer:
            return literal.kind == LiteralKind::integer && is_int(read_integer(literal.text));
        case ScalarKind::floating:
            return (literal.kind == LiteralKind::integer || literal.kind == LiteralKind::floating) &&
                   read_double(literal.text);
        case ScalarKind::string:
            return literal.kind == LiteralKind::string;
        case ScalarKind::boolean:
            return literal.kind == LiteralKind::boolean;
        case ScalarKind::id:
            return literal.kind == LiteralKind::string || literal.kind == LiteralKind::integer;
    }
    return false;
}

Value coerce_literal(const Literal& literal, TypeView type, const Variables& variables) {
    if (literal.kind == LiteralKind::variable) {
        const Value* given = find_variable(variables, literal.text);
        if (given != nullptr && !given->is_null()) return *given;
        if (type.is_non_null())
            throw LocatedError("This variable has no value, and cannot stand where one of type " +
                                   type.text() + " is needed.",
                               code::bad_user_input, literal.offset);
        return {};
    }
    if (literal.kind == LiteralKind::null) return {};
    const TypeView nullable = type.nullable();
    if (nullable.is_list()) return list_value(literal, nullable.inner(), variables);
    if (type.named->kind == TypeKind::input_object)
        return coerce_inputs(type.named->inputs, literal.fields, variables, literal.offset);
    return leaf_value(literal, *type.named, variables);
}

Value coerce_inputs(const std::vector<InputValue>& inputs, const std::vector<NamedLiteral>& given,
                    const Variables& variables, std::uint32_t offset) {
    Value::Members members;
    for (const InputValue& input : inputs) {
        const Literal* literal = find_literal(given, input.name);
        const bool is_variable = literal != nullptr && literal->kind == LiteralKind::variable;
        if (literal == nullptr || (is_variable && find_variable(variables, literal->text) == nullptr)) {
            if (input.is_required())
                throw LocatedError('"' + input.name + "\" has no value; it is required.",
                                   code::bad_user_input, literal == nullptr ? offset : literal->offset);
            if (input.default_value) members.push_back({input.name, *input.default_value});
        } else {
            members.push_back({input.name, coerce_literal(*literal, input.type.view(), variables)});
        }
    }
    return members;
}

Variables coerce_variables(const Schema& schema, const Operation& operation,
                           const std::optional<json::Value>& given) {
    // A request may have thousands of values, and its operation hundreds of variables.
    std::map<std::string_view, json::Value> values;
    if (given && !operation.variables.empty()) {
        for (const auto& [name, value] : given->members()) values.emplace(name, value);
    }
    Variables variables;
    for (const VariableDefinition& definition : operation.variables) {
        const std::string name(definition.name.text);
        const TypeView type{schema.find(definition.type.name), definition.type.wraps};
        const JsonReader reader(definition.name.offset);
        if (const auto found = values.find(name); found != values.end()) {
            variables.push_back({name, reader.read(found->second, type, '$' + name)});
        } else if (definition.default_value) {
            variables.push_back({name, coerce_literal(*definition.default_value, type, {})});
        } else if (type.is_non_null()) {
            reader.refuse("The variable $" + name + " is missing; it is a required " + type.text() + '.');
        }
    }
    return variables;
}

}  // namespace data_import::graphql
