#include "graphql/introspection.h"

#include <array>
#include <optional>
#include <string>
#include <type_traits>

namespace data_import::graphql {

namespace {

Value text_or_null(const std::string& text) {
    return text.empty() ? Value() : Value(text);
}

Value text_or_null(const std::optional<std::string>& text) {
    return text ? Value(*text) : Value();
}

Source type_or_null(const NamedType* type) {
    return type == nullptr ? Source() : Source(TypeView{type, {}});
}

/// `includeDeprecated` has a default value, but can be given as null.
bool includes_deprecated(const Value& arguments) {
    const Value* include = arguments.find("includeDeprecated");
    return include != nullptr && !include->is_null() && include->boolean();
}

template <typename Definition>
Resolved list(const std::vector<Definition>& definitions, bool with_deprecated) {
    std::vector<Source> sources;
    for (const Definition& definition : definitions) {
        if (with_deprecated || !definition.deprecation_reason) sources.emplace_back(&definition);
    }
    return sources;
}

std::string_view kind_of(TypeView type) {
    if (type.is_non_null()) return "NON_NULL";
    if (type.is_list()) return "LIST";
    switch (type.named->kind) {
        case TypeKind::scalar:
            return "SCALAR";
        case TypeKind::object:
            return "OBJECT";
        case TypeKind::enumeration:
            return "ENUM";
        case TypeKind::input_object:
            break;
    }
    return "INPUT_OBJECT";
}

/// What only a named type has; null for lists and non-null types.
Resolved field_of_named(const NamedType& type, std::string_view field, const Value& arguments) {
    const bool with_deprecated = includes_deprecated(arguments);
    if (field == "name") return Value(type.name);
    if (field == "description") return text_or_null(type.description);
    if (field == "specifiedByURL") return text_or_null(type.specified_by_url);
    if (type.kind == TypeKind::object && field == "fields") return list(type.fields, with_deprecated);
    if (type.kind == TypeKind::object && field == "interfaces") return std::vector<Source>();
    if (type.kind == TypeKind::enumeration && field == "enumValues")
        return list(type.values, with_deprecated);
    if (type.kind == TypeKind::input_object && field == "inputFields")
        return list(type.inputs, with_deprecated);
    if (type.kind == TypeKind::input_object && field == "isOneOf") return Value(false);
    return Value();
}

Resolved field_of(const TypeView& type, std::string_view field, const Value& arguments) {
    if (field == "kind") return Value(kind_of(type));
    if (!type.wraps.empty()) return field == "ofType" ? Resolved(Source(type.inner())) : Resolved(Value());
    return field_of_named(*type.named, field, arguments);
}

/// What fields, arguments and enum values have in common.
template <typename Definition>
Resolved field_of_any(const Definition& definition, std::string_view field) {
    if (field == "name") return Value(definition.name);
    if (field == "description") return text_or_null(definition.description);
    if (field == "isDeprecated") return Value(definition.deprecation_reason.has_value());
    return text_or_null(definition.deprecation_reason);
}

Resolved field_of(const FieldDefinition* definition, std::string_view field, const Value& arguments) {
    if (field == "args") return list(definition->arguments, includes_deprecated(arguments));
    if (field == "type") return Source(definition->type.view());
    return field_of_any(*definition, field);
}

Resolved field_of(const InputDefinition* definition, std::string_view field, const Value& /*arguments*/) {
    if (field == "type") return Source(definition->type.view());
    if (field == "defaultValue") return text_or_null(definition->default_literal);
    return field_of_any(*definition, field);
}

Resolved field_of(const EnumValue* value, std::string_view field, const Value& /*arguments*/) {
    return field_of_any(*value, field);
}

Resolved field_of(const DirectiveDefinition* directive, std::string_view field, const Value& arguments) {
    if (field == "name") return Value(directive->name);
    if (field == "description") return text_or_null(directive->description);
    if (field == "isRepeatable") return Value(false);
    if (field == "args") return list(directive->arguments, includes_deprecated(arguments));
    return Value(Value::List(directive->locations.begin(), directive->locations.end()));
}

Resolved all_types(const TypeSystem& types) {
    std::vector<Source> sources;
    for (const auto& type : types.types()) sources.push_back(type_or_null(type.get()));
    return sources;
}

Resolved field_of(const TypeSystem* types, std::string_view field, const Value& /*arguments*/) {
    if (field == "description") return text_or_null(types->description());
    if (field == "types") return all_types(*types);
    if (field == "queryType") return type_or_null(types->root(OperationKind::query));
    if (field == "mutationType") return type_or_null(types->root(OperationKind::mutation));
    if (field == "directives") {
        std::vector<Source> sources;
        for (const DirectiveDefinition& directive : types->directives()) sources.emplace_back(&directive);
        return sources;
    }
    return Value();
}

}  // namespace

Resolved introspect(const TypeSystem& types, const Source& parent, std::string_view field,
                    const Value& arguments) {
    if (field == "__schema") return Source(&types);
    if (field == "__type") return type_or_null(types.find(arguments.find("name")->text()));
    return std::visit(
        [&](const auto& source) -> Resolved {
            using Kind = std::decay_t<decltype(source)>;
            if constexpr (std::is_same_v<Kind, std::monostate> || std::is_same_v<Kind, const Value*>) {
                return Value();
            } else {
                return field_of(source, field, arguments);
            }
        },
        parent);
}

}  // namespace data_import::graphql
