// The types and directives that every schema has, described in the terms of any other schema.
#include "graphql/type_system.h"

namespace data_import::graphql {

namespace {

const std::vector<InputValue> include_deprecated = {
    {"includeDeprecated", "Boolean", "Whether what is deprecated is listed as well.", "false"}};

ObjectType schema_type() {
    return {"__Schema",
            "What this service offers: its types, its directives, and where operations begin.",
            {{"description", "String", "What the schema is for."},
             {"types", "[__Type!]!", "All types, those of introspection included."},
             {"queryType", "__Type!", "Where queries begin."},
             {"mutationType", "__Type", "Where mutations begin; null where there are none."},
             {"subscriptionType", "__Type", "Where subscriptions begin; null where there are none."},
             {"directives", "[__Directive!]!", "All directives."}}};
}

ObjectType type_type() {
    return {"__Type",
            "A type. Which of the fields are not null depends on its kind; a list or a non-null type has its "
            "item "
            "or nullable type in `ofType`.",
            {{"kind", "__TypeKind!", "What sort of type this is."},
             {"name", "String", "The name; lists and non-null types have none."},
             {"description", "String", "What the type is for."},
             {"specifiedByURL", "String", "Where the form of a scalar is specified."},
             {"fields", "[__Field!]", "The fields of an object or interface.", include_deprecated},
             {"interfaces", "[__Type!]", "The interfaces that an object or interface implements."},
             {"possibleTypes", "[__Type!]", "The objects that an interface or union can be."},
             {"enumValues", "[__EnumValue!]", "The values of an enum.", include_deprecated},
             {"inputFields", "[__InputValue!]", "The fields of an input object.", include_deprecated},
             {"ofType", "__Type", "What a list or a non-null type is made of."},
             {"isOneOf", "Boolean",
              "Whether an input object takes exactly one of its fields by its type alone."}}};
}

ObjectType field_type() {
    return {"__Field",
            "A field of an object or interface.",
            {{"name", "String!", "The name of the field."},
             {"description", "String", "What the field is for."},
             {"args", "[__InputValue!]!", "The arguments that it takes.", include_deprecated},
             {"type", "__Type!", "The type of its value."},
             {"isDeprecated", "Boolean!", "Whether it should no longer be used."},
             {"deprecationReason", "String", "Why, and what to use instead."}}};
}

ObjectType input_value_type() {
    return {"__InputValue",
            "An argument of a field or directive, or a field of an input object.",
            {{"name", "String!", "The name."},
             {"description", "String", "What it is for."},
             {"type", "__Type!", "The type of its value."},
             {"defaultValue", "String", "The value, as a literal, that counts where none is given."},
             {"isDeprecated", "Boolean!", "Whether it should no longer be used."},
             {"deprecationReason", "String", "Why, and what to use instead."}}};
}

ObjectType enum_value_type() {
    return {"__EnumValue",
            "One of the values of an enum.",
            {{"name", "String!", "The name, which is the value."},
             {"description", "String", "What the value means."},
             {"isDeprecated", "Boolean!", "Whether it should no longer be used."},
             {"deprecationReason", "String", "Why, and what to use instead."}}};
}

ObjectType directive_type() {
    return {"__Directive",
            "A directive changes how a part of a document is executed, or says more about it.",
            {{"name", "String!", "The name, without the at sign."},
             {"description", "String", "What the directive does."},
             {"isRepeatable", "Boolean!", "Whether it may stand in one place more than once."},
             {"locations", "[__DirectiveLocation!]!", "Where it may stand."},
             {"args", "[__InputValue!]!", "The arguments that it takes.", include_deprecated}}};
}

EnumType type_kind_type() {
    return {"__TypeKind",
            "What sort of type a type is.",
            {{"SCALAR", "A single value."},
             {"OBJECT", "An object with fields."},
             {"INTERFACE", "Fields that several objects have in common."},
             {"UNION", "One of several objects."},
             {"ENUM", "One of several names."},
             {"INPUT_OBJECT", "An object in an argument."},
             {"LIST", "A list; `ofType` says of what."},
             {"NON_NULL", "`ofType`, but never null."}}};
}

EnumType directive_location_type() {
    return {"__DirectiveLocation",
            "Where a directive may stand.",
            {{"QUERY", "At a query."},
             {"MUTATION", "At a mutation."},
             {"SUBSCRIPTION", "At a subscription."},
             {"FIELD", "At a field."},
             {"FRAGMENT_DEFINITION", "At the definition of a fragment."},
             {"FRAGMENT_SPREAD", "Where a fragment is spread."},
             {"INLINE_FRAGMENT", "At an inline fragment."},
             {"VARIABLE_DEFINITION", "At the definition of a variable."},
             {"SCHEMA", "At the definition of a schema."},
             {"SCALAR", "At the definition of a scalar."},
             {"OBJECT", "At the definition of an object."},
             {"FIELD_DEFINITION", "At the definition of a field."},
             {"ARGUMENT_DEFINITION", "At the definition of an argument."},
             {"INTERFACE", "At the definition of an interface."},
             {"UNION", "At the definition of a union."},
             {"ENUM", "At the definition of an enum."},
             {"ENUM_VALUE", "At the definition of a value of an enum."},
             {"INPUT_OBJECT", "At the definition of an input object."},
             {"INPUT_FIELD_DEFINITION", "At the definition of a field of an input object."}}};
}

}  // namespace

const std::vector<TypeDefinition>& introspection_types() {
    static const std::vector<TypeDefinition> types = {
        schema_type(),      type_type(),       type_kind_type(), field_type(),
        input_value_type(), enum_value_type(), directive_type(), directive_location_type()};
    return types;
}

const std::vector<StandardDirective>& standard_directives() {
    static const std::vector<StandardDirective> directives = {
        {"include",
         "Takes a field or fragment in only where the argument is true.",
         {"FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"},
         {{"if", "Boolean!", "Whether it is taken in."}}},
        {"skip",
         "Leaves a field or fragment out where the argument is true.",
         {"FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"},
         {{"if", "Boolean!", "Whether it is left out."}}},
        {"deprecated",
         "Marks what should no longer be used.",
         {"FIELD_DEFINITION", "ARGUMENT_DEFINITION", "INPUT_FIELD_DEFINITION", "ENUM_VALUE"},
         {{"reason", "String", "Why, and what to use instead, in Markdown.", "\"No longer supported\""}}},
        {"specifiedBy",
         "Says where the form of a scalar is specified.",
         {"SCALAR"},
         {{"url", "String!", "The address of the specification."}}},
        {"oneOf", "Marks an input object that takes exactly one of its fields.", {"INPUT_OBJECT"}},
    };
    return directives;
}

}  // namespace data_import::graphql
