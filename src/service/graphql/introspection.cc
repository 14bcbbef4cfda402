#include "service/graphql/introspection.h"

#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>

#include "service/graphql/document.h"

namespace data_import::graphql {

namespace {

// --- the types; the language defines their fields ---

/// Makes an object type from fields such as `types: [__Type!]!`, as the language writes them. Fields that
/// list parts which can be deprecated get the argument `includeDeprecated`.
Type object(const char* name, const char* description, std::initializer_list<std::string_view> fields) {
    static const std::vector<InputValue> include_deprecated = {
        {"includeDeprecated", "Boolean", "Whether deprecated elements are also listed.", "false"}};
    Type type{TypeKind::object, name, description};
    for (const std::string_view text : fields) {
        const std::size_t colon = text.find(':');
        Field field{std::string(text.substr(0, colon)), parse_type(text.substr(colon + 1))};
        const bool lists_parts = field.name == "fields" || field.name == "enumValues" ||
                                 field.name == "inputFields" || field.name == "args";
        if (lists_parts) field.arguments = include_deprecated;
        type.fields.push_back(field);
    }
    return type;
}

Type enumeration(const char* name, const char* description, std::initializer_list<const char*> values) {
    Type type{.kind = TypeKind::enumeration, .name = name, .description = description};
    for (const char* value : values) type.values.push_back({value});
    return type;
}

// --- values of the fields of the types above ---

Datum text_or_null(const std::string& text) {
    return text.empty() ? Datum() : Datum(text);
}

Datum text_or_null(const std::optional<std::string>& text) {
    return text ? Datum(*text) : Datum();
}

Source type_or_null(const Type* type) {
    return type == nullptr ? Source() : Source(TypeView{type, {}});
}

template <typename Definition>
Resolved list(const std::vector<Definition>& definitions) {
    std::vector<Source> sources;
    for (const Definition& definition : definitions) sources.emplace_back(&definition);
    return sources;
}

std::string_view kind_of(TypeView type) {
    if (!type.wraps.empty()) return type.is_list() ? "LIST" : "NON_NULL";
    if (type.named->kind == TypeKind::object) return "OBJECT";
    if (type.named->kind == TypeKind::enumeration) return "ENUM";
    return type.named->kind == TypeKind::scalar ? "SCALAR" : "INPUT_OBJECT";
}

/// Returns the value of a field of `__Type`. Lists and non-null types have null in every field but `kind` and
/// `ofType`.
Resolved field_of(const TypeView& view, std::string_view field) {
    if (field == "kind") return Datum(kind_of(view));
    if (!view.wraps.empty()) return field == "ofType" ? Resolved(Source(view.inner())) : Resolved(Datum());
    const Type& type = *view.named;
    if (field == "name") return Datum(type.name);
    if (field == "description") return text_or_null(type.description);
    if (type.kind == TypeKind::object && field == "fields") return list(type.fields);
    if (type.kind == TypeKind::object && field == "interfaces") return std::vector<Source>();
    if (type.kind == TypeKind::enumeration && field == "enumValues") return list(type.values);
    if (type.kind == TypeKind::input_object && field == "inputFields") return list(type.inputs);
    if (type.kind == TypeKind::input_object && field == "isOneOf") return Datum(false);
    return Datum();
}

/// Returns the value of a field of `__Field`, `__InputValue` or `__EnumValue`.
template <typename Definition>
Resolved field_of(const Definition* definition, std::string_view field) {
    if (field == "name") return Datum(definition->name);
    if (field == "description") return text_or_null(definition->description);
    if (field == "isDeprecated") return Datum(false);
    if (field == "deprecationReason") return Datum();
    if constexpr (!std::is_same_v<Definition, EnumValue>) {
        if (field == "type") return Source(definition->type.view());
    }
    if constexpr (std::is_same_v<Definition, Field>) return list(definition->arguments);
    if constexpr (std::is_same_v<Definition, InputValue>) return text_or_null(definition->default_literal);
    return Datum();
}

Resolved field_of(const Directive* directive, std::string_view field) {
    if (field == "name") return Datum(directive->name);
    if (field == "description") return text_or_null(directive->description);
    if (field == "isRepeatable") return Datum(false);
    if (field == "args") return list(directive->arguments);
    return Datum(Datum::List(directive->locations.begin(), directive->locations.end()));
}

Resolved field_of(const Schema* schema, std::string_view field) {
    if (field == "description") return text_or_null(schema->description());
    if (field == "queryType") return type_or_null(schema->root(OperationKind::query));
    if (field == "mutationType") return type_or_null(schema->root(OperationKind::mutation));
    if (field == "subscriptionType") return Datum();
    std::vector<Source> sources;
    if (field == "types") {
        for (const Type& type : schema->types()) sources.push_back(type_or_null(&type));
    } else {
        for (const Directive& directive : schema->directives()) sources.emplace_back(&directive);
    }
    return sources;
}

}  // namespace

std::vector<Type> introspection_types() {
    return {
        object("__Schema", "What this service offers: its types, its directives, and where operations begin.",
               {"description: String", "types: [__Type!]!", "queryType: __Type!", "mutationType: __Type",
                "subscriptionType: __Type", "directives: [__Directive!]!"}),
        object(
            "__Type",
            "A type. Which of the fields are not null depends on its kind; a list or a non-null type has its "
            "item or nullable type in `ofType`.",
            {"kind: __TypeKind!", "name: String", "description: String", "specifiedByURL: String",
             "fields: [__Field!]", "interfaces: [__Type!]", "possibleTypes: [__Type!]",
             "enumValues: [__EnumValue!]", "inputFields: [__InputValue!]", "ofType: __Type",
             "isOneOf: Boolean"}),
        object("__Field", "A field of an object or interface.",
               {"name: String!", "description: String", "args: [__InputValue!]!", "type: __Type!",
                "isDeprecated: Boolean!", "deprecationReason: String"}),
        object("__InputValue", "An argument of a field or directive, or a field of an input object.",
               {"name: String!", "description: String", "type: __Type!", "defaultValue: String",
                "isDeprecated: Boolean!", "deprecationReason: String"}),
        object(
            "__EnumValue", "One of the values of an enum.",
            {"name: String!", "description: String", "isDeprecated: Boolean!", "deprecationReason: String"}),
        object("__Directive",
               "A directive changes how a part of a document is executed, or says more about it.",
               {"name: String!", "description: String", "isRepeatable: Boolean!",
                "locations: [__DirectiveLocation!]!", "args: [__InputValue!]!"}),
        enumeration("__TypeKind", "What sort of type a type is.",
                    {"SCALAR", "OBJECT", "INTERFACE", "UNION", "ENUM", "INPUT_OBJECT", "LIST", "NON_NULL"}),
        enumeration("__DirectiveLocation", "Where a directive may stand.",
                    {"QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD",
                     "INLINE_FRAGMENT", "VARIABLE_DEFINITION", "SCHEMA", "SCALAR", "OBJECT",
                     "FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INTERFACE", "UNION", "ENUM", "ENUM_VALUE",
                     "INPUT_OBJECT", "INPUT_FIELD_DEFINITION"})};
}

std::vector<Directive> standard_directives() {
    const std::vector<std::string> selections = {"FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"};
    return {
        {"include",
         "Includes a field or fragment only if the argument is true.",
         selections,
         {{"if", "Boolean!", "True includes it."}}},
        {"skip",
         "Skips a field or fragment if the argument is true.",
         selections,
         {{"if", "Boolean!", "True skips it."}}},
        {"deprecated",
         "Marks an element that should no longer be used.",
         {"FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INPUT_FIELD_DEFINITION", "ENUM_VALUE"},
         {{"reason", "String", "The reason and the replacement, in Markdown.", "\"No longer supported\""}}},
        {"specifiedBy",
         "Names the specification of a scalar.",
         {"SCALAR"},
         {{"url", "String!", "The address of the specification."}}},
        {"oneOf", "Marks an input object that takes exactly one of its fields.", {"INPUT_OBJECT"}},
    };
}

Resolved introspect(const Schema& schema, const Source& parent, std::string_view field,
                    const Datum& arguments) {
    if (field == "__schema") return Source(&schema);
    if (field == "__type") return type_or_null(schema.find(arguments.find("name")->text()));
    return std::visit(
        [&](const auto& source) -> Resolved {
            using Kind = std::decay_t<decltype(source)>;
            if constexpr (std::is_same_v<Kind, std::monostate> || std::is_same_v<Kind, const Datum*>) {
                return Datum();
            } else {
                return field_of(source, field);
            }
        },
        parent);
}

}  // namespace data_import::graphql
