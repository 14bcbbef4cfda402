#include "service/graphql/coercion.h"

#include <limits>
#include <map>
#include <utility>

#include "base/util/decimal.h"
#include "base/util/whole_number.h"
#include "service/graphql/error.h"

namespace data_import::graphql {

namespace {

const Literal* find_literal(const std::vector<Literal>& literals, std::string_view name) {
    for (const Literal& literal : literals) {
        if (literal.name.text == name) return &literal;
    }
    return nullptr;
}

/// Returns the value of a literal that is a whole number; nothing for any other literal. In JSON, 100, 100.0
/// and 1e2 are the same number.
std::optional<Datum> whole_number(const Literal& literal) {
    std::string text(literal.text);
    if (literal.kind == LiteralKind::json_number) {
        auto decimal = util::parse_json_number(text);
        if (!decimal || decimal->fraction.find_first_not_of('0') != std::string::npos) return std::nullopt;
        decimal->fraction.clear();
        text = decimal->to_text();
    }
    const auto number = util::whole_number<std::int64_t>(text);
    return number ? std::optional<Datum>(*number) : std::nullopt;
}

/// Returns the plain value of a literal for a scalar or enum type. Returns nothing for a form that no value
/// of the type has, such as a string literal in place of an enum value.
std::optional<Datum> plain_value(const Literal& literal, const Type& leaf) {
    const bool is_enumeration = leaf.kind == TypeKind::enumeration;
    switch (literal.kind) {
        case LiteralKind::boolean:
            return literal.text == "true";
        case LiteralKind::integer:
        case LiteralKind::json_number:
            return whole_number(literal);
        case LiteralKind::json_string:
            return literal.string;
        case LiteralKind::string:
            return is_enumeration ? std::nullopt : std::optional<Datum>(literal.string);
        case LiteralKind::enumeration:
            return is_enumeration ? std::optional<Datum>(literal.text) : std::nullopt;
        default:
            return std::nullopt;
    }
}

/// Returns a literal with the value of `json`, for a place of a document where `type` is expected. `offset`
/// becomes the position of the literal and of all its parts. A JSON array becomes an empty list if `type` is
/// no list. A JSON object becomes an empty object if `type` has no fields. Both are refused later in any
/// case, so the work for their items or members, which may be thousands, is saved.
Literal literal_of(const json::Value& json, TypeView type, std::uint32_t offset) {
    Literal literal{.offset = offset};
    const bool is_list = type.nullable().is_list();
    const bool has_fields = type.known() && type.named->kind == TypeKind::input_object;
    switch (json.type()) {
        case json::Type::null:
            break;
        case json::Type::boolean:
            literal.kind = LiteralKind::boolean;
            literal.text = json.boolean() ? "true" : "false";
            break;
        case json::Type::number:
            literal.kind = LiteralKind::json_number;
            literal.text = json.text();
            break;
        case json::Type::string:
            literal.kind = LiteralKind::json_string;
            literal.string = json.text();
            break;
        case json::Type::array:
            literal.kind = LiteralKind::list;
            if (!is_list) break;
            for (const json::Value item : json.items())
                literal.items.push_back(literal_of(item, type.nullable().inner(), offset));
            break;
        case json::Type::object:
            literal.kind = LiteralKind::object;
            if (!has_fields) break;
            for (const auto& [key, member] : json.members()) {
                const InputValue* input = find_by_name(type.named->inputs, key);
                const TypeView field_type = input == nullptr ? TypeView() : input->type.view();
                literal.items.emplace_back(literal_of(member, field_type, offset)).name = {key, offset};
            }
    }
    return literal;
}

[[noreturn]] void refuse_variable(const VariableDefinition& variable, const std::string& why) {
    throw LocatedError("The variable " + in_quotes(variable.name.text) + ' ' + why, code::bad_user_input,
                       variable.name.offset);
}

}  // namespace

Datum LiteralReader::read(const Literal& literal, TypeView type, bool has_default) const {
    if (literal.kind == LiteralKind::variable) return variable(literal, type, has_default);
    if (literal.kind == LiteralKind::null) {
        if (type.is_non_null())
            refuse("A value must not be null; it is of type " + type.text() + '.', literal.offset);
        return {};
    }
    const TypeView nullable = type.nullable();
    if (nullable.is_list()) {
        if (literal.kind != LiteralKind::list) return Datum::List{read(literal, nullable.inner())};
        Datum::List items;
        for (const Literal& item : literal.items) items.push_back(read(item, nullable.inner()));
        return items;
    }
    const Type& named = *type.named;
    if (named.kind == TypeKind::input_object && literal.kind == LiteralKind::object)
        return read(named.inputs, literal.items, literal.offset);
    auto value = named.is_leaf() ? plain_value(literal, named) : std::nullopt;
    if (value) value = leaf_value(*value, named);
    if (!value) refuse("A value is not of type " + type.text() + '.', literal.offset);
    return std::move(*value);
}

Datum LiteralReader::read(const std::vector<InputValue>& inputs, const std::vector<Literal>& given,
                          std::uint32_t offset) const {
    for (const Literal& literal : given) {
        if (find_by_name(inputs, literal.name.text) == nullptr)
            refuse("There is no argument or field " + in_quotes(literal.name.text) + " here.",
                   literal.name.offset);
    }
    Datum::Members members;
    for (const InputValue& input : inputs) {
        const Literal* literal = find_literal(given, input.name);
        if (literal != nullptr && !is_absent(*literal)) {
            const bool has_default = input.default_literal.has_value();
            members.push_back({input.name, read(*literal, input.type.view(), has_default)});
        } else if (input.default_value) {
            members.push_back({input.name, *input.default_value});
        } else if (input.is_required()) {
            refuse('"' + input.name + "\" is missing; it is a required " + input.type.view().text() + '.',
                   literal == nullptr ? offset : literal->offset);
        }
    }
    return members;
}

Datum LiteralReader::variable(const Literal& literal, TypeView type, bool has_default) const {
    if (uses_ != nullptr) {
        uses_->push_back({literal.text, literal.offset, type, has_default});
        return {};
    }
    const Member* given = find_by_name(*variables_, literal.text);
    if (given != nullptr && !given->value.is_null()) return given->value;
    if (type.is_non_null())
        refuse("This variable has no value, so it cannot be used where one of type " + type.text() +
                   " is needed.",
               literal.offset);
    return {};
}

bool LiteralReader::is_absent(const Literal& literal) const {
    return literal.kind == LiteralKind::variable && variables_ != nullptr &&
           find_by_name(*variables_, literal.text) == nullptr;
}

void LiteralReader::refuse(const std::string& sentence, std::uint32_t offset) const {
    throw LocatedError(sentence, uses_ == nullptr ? code::bad_user_input : code::validation_failed, offset);
}

std::optional<Datum> leaf_value(const Datum& plain, const Type& leaf) {
    using Limits = std::numeric_limits<std::int32_t>;
    const bool is_text = plain.is<std::string>();
    bool fits = is_text;
    if (leaf.kind == TypeKind::enumeration) {
        fits = is_text && find_by_name(leaf.values, plain.text()) != nullptr;
    } else if (leaf.scalar == ScalarKind::integer) {
        fits =
            plain.is<std::int64_t>() && plain.integer() >= Limits::min() && plain.integer() <= Limits::max();
    } else if (leaf.scalar == ScalarKind::boolean) {
        fits = plain.is<bool>();
    }
    return fits ? std::optional(plain) : std::nullopt;
}

Variables coerce_variables(const Schema& schema, const Operation& operation,
                           const std::optional<json::Value>& given) {
    // Values are looked up in a map, because a request may have thousands of them, and its operation hundreds
    // of variables.
    std::map<std::string_view, json::Value> values;
    if (given && !operation.variables.empty()) {
        for (const auto& [name, value] : given->members()) values.emplace(name, value);
    }
    Variables variables;
    const LiteralReader reader(variables);
    for (const VariableDefinition& definition : operation.variables) {
        const auto [name, offset] = definition.name;
        const TypeView type = schema.view(definition.type);
        const auto found = values.find(name);
        const bool is_given = found != values.end();
        if (!is_given && !definition.default_value) {
            if (type.is_non_null())
                refuse_variable(definition, "is missing; it is a required " + type.text() + '.');
            continue;
        }
        try {
            const Literal literal =
                is_given ? literal_of(found->second, type, offset) : *definition.default_value;
            variables.push_back({std::string(name), reader.read(literal, type)});
        } catch (const LocatedError& failure) {
            refuse_variable(definition, std::string("does not fit: ") + failure.what());
        }
    }
    return variables;
}

}  // namespace data_import::graphql
