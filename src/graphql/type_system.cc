#include "graphql/type_system.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "graphql/coercion.h"
#include "graphql/parser.h"

namespace data_import::graphql {

namespace {

struct StandardScalar {
    std::string_view name;
    ScalarKind kind;
    std::string_view description;
};

constexpr std::array<StandardScalar, 5> standard_scalars = {{
    {"Int", ScalarKind::integer, "A whole number between -2147483648 and 2147483647."},
    {"Float", ScalarKind::floating, "A number of double precision (IEEE 754)."},
    {"String", ScalarKind::string, "Text in UTF-8."},
    {"Boolean", ScalarKind::boolean, "`true` or `false`."},
    {"ID", ScalarKind::id,
     "An identifier that is not meant to be read by people: a string, also when given as a whole number."},
}};

const std::string& name_of(const TypeDefinition& definition) {
    return std::visit([](const auto& type) -> const std::string& { return type.name; }, definition);
}

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::logic_error("This GraphQL schema contradicts itself: " + sentence);
}

void collect(const std::vector<InputValue>& inputs, std::vector<std::string>& names) {
    for (const InputValue& input : inputs) names.emplace_back(parse_type(input.type).name.text);
}

/// The names of types that a definition uses.
std::vector<std::string> used_names(const TypeDefinition& definition) {
    std::vector<std::string> names;
    if (const auto* object = std::get_if<ObjectType>(&definition)) {
        for (const Field& field : object->fields) {
            names.emplace_back(parse_type(field.type).name.text);
            collect(field.arguments, names);
        }
    } else if (const auto* input = std::get_if<InputObjectType>(&definition)) {
        collect(input->fields, names);
    }
    return names;
}

template <typename List>
void refuse_duplicates(const List& list, const std::string& place) {
    for (const auto& member : list) {
        const auto same = [&](const auto& other) { return other.name == member.name; };
        if (std::count_if(list.begin(), list.end(), same) > 1)
            refuse(place + " has " + member.name + " twice.");
    }
}

}  // namespace

std::string TypeView::text() const {
    if (wraps.empty()) return named->name;
    return is_list() ? '[' + inner().text() + ']' : inner().text() + '!';
}

bool DirectiveDefinition::may_stand_at(std::string_view location) const {
    return std::find(locations.begin(), locations.end(), location) != locations.end();
}

TypeSystem::TypeSystem(std::vector<TypeDefinition> definitions, std::string description)
    : description_(std::move(description)) {
    const std::size_t own = definitions.size();
    definitions.insert(definitions.end(), introspection_types().begin(), introspection_types().end());
    for (std::size_t index = 0; index < own; ++index) add(definitions[index]);
    add_used_scalars(definitions);
    for (std::size_t index = own; index < definitions.size(); ++index) add(definitions[index]);
    for (const TypeDefinition& definition : definitions) resolve(definition);
    schema_field_ = output({.name = "__schema", .type = "__Schema!"}, "Query");
    type_field_ = output({.name = "__type", .type = "__Type", .arguments = {{"name", "String!"}}}, "Query");
    typename_field_ = output({.name = "__typename", .type = "String!"}, "Query");
    add_directives();
    read_defaults();
    if (root(OperationKind::query) == nullptr) refuse("there is no type Query.");
}

void TypeSystem::add(const TypeDefinition& definition) {
    const std::string& name = name_of(definition);
    if (find(name) != nullptr) refuse("the type " + name + " is there twice.");
    auto type = std::make_unique<NamedType>();
    type->name = name;
    std::visit([&](const auto& declared) { type->description = declared.description; }, definition);
    if (std::holds_alternative<ObjectType>(definition)) type->kind = TypeKind::object;
    if (std::holds_alternative<InputObjectType>(definition)) type->kind = TypeKind::input_object;
    if (std::holds_alternative<EnumType>(definition)) type->kind = TypeKind::enumeration;
    types_.push_back(std::move(type));
}

/// Introspection shows a scalar of the language only where the schema uses it.
void TypeSystem::add_used_scalars(const std::vector<TypeDefinition>& definitions) {
    for (const TypeDefinition& definition : definitions) {
        for (const std::string& name : used_names(definition)) {
            const auto has_name = [&](const StandardScalar& scalar) { return scalar.name == name; };
            const auto* scalar = std::find_if(standard_scalars.begin(), standard_scalars.end(), has_name);
            if (scalar == standard_scalars.end() || find(name) != nullptr) continue;
            add(ScalarType{name, std::string(scalar->description)});
            types_.back()->scalar = scalar->kind;
        }
    }
}

void TypeSystem::add_directives() {
    for (const StandardDirective& standard : standard_directives()) {
        DirectiveDefinition directive{standard.name, standard.description, standard.locations, {}};
        for (const InputValue& argument : standard.arguments)
            directive.arguments.push_back(input(argument, '@' + standard.name));
        directives_.push_back(std::move(directive));
    }
}

void TypeSystem::resolve(const TypeDefinition& definition) {
    NamedType& type = named(name_of(definition));
    if (const auto* object = std::get_if<ObjectType>(&definition)) {
        for (const Field& field : object->fields) type.fields.push_back(output(field, type.name));
        refuse_duplicates(type.fields, type.name);
    } else if (const auto* object_input = std::get_if<InputObjectType>(&definition)) {
        for (const InputValue& field : object_input->fields) type.inputs.push_back(input(field, type.name));
        refuse_duplicates(type.inputs, type.name);
    } else if (const auto* enumeration = std::get_if<EnumType>(&definition)) {
        type.values = enumeration->values;
        refuse_duplicates(type.values, type.name);
    } else {
        type.specified_by_url = std::get<ScalarType>(definition).specified_by_url;
    }
}

/// Only when all types are known, a literal of them can be read.
void TypeSystem::read_defaults() {
    const auto read = [](std::vector<InputDefinition>& inputs) {
        for (InputDefinition& input : inputs) {
            if (!input.default_literal) continue;
            input.default_value = coerce_constant(parse_constant(*input.default_literal), input.type.view());
            if (!input.default_value) refuse("the default value of " + input.name + " is not of its type.");
        }
    };
    for (const auto& type : types_) read(type->inputs);
    for (const auto& type : types_) {
        for (FieldDefinition& field : type->fields) read(field.arguments);
    }
    for (DirectiveDefinition& directive : directives_) read(directive.arguments);
}

const NamedType* TypeSystem::find(std::string_view name) const {
    for (const auto& type : types_) {
        if (type->name == name) return type.get();
    }
    return nullptr;
}

NamedType& TypeSystem::named(std::string_view name) const {
    const auto has_name = [&](const auto& type) { return type->name == name; };
    return **std::find_if(types_.begin(), types_.end(), has_name);
}

const NamedType* TypeSystem::root(OperationKind kind) const {
    if (kind == OperationKind::subscription) return nullptr;
    const NamedType* type = find(kind == OperationKind::query ? "Query" : "Mutation");
    return type != nullptr && type->kind == TypeKind::object ? type : nullptr;
}

const FieldDefinition* TypeSystem::field(const NamedType& object, std::string_view name) const {
    if (name == "__typename") return &typename_field_;
    if (name.starts_with("__") && &object == root(OperationKind::query)) {
        if (name == "__schema") return &schema_field_;
        if (name == "__type") return &type_field_;
    }
    return find_by_name(object.fields, name);
}

TypeReference TypeSystem::reference(const std::string& text, const std::string& place) const {
    const TypeNode node = parse_type(text);
    const NamedType* type = find(node.name.text);
    if (type == nullptr) refuse(place + " is of a type that is not there: " + text);
    return {type, node.wraps};
}

InputDefinition TypeSystem::input(const InputValue& declared, const std::string& place) const {
    InputDefinition definition{.name = declared.name,
                               .description = declared.description,
                               .type = reference(declared.type, place + '.' + declared.name),
                               .default_literal = declared.default_value,
                               .default_value = {},
                               .deprecation_reason = declared.deprecation_reason};
    if (!definition.type.named->is_input()) refuse(place + '.' + declared.name + " is not of an input type.");
    return definition;
}

FieldDefinition TypeSystem::output(const Field& declared, const std::string& place) const {
    FieldDefinition definition{.name = declared.name,
                               .description = declared.description,
                               .type = reference(declared.type, place + '.' + declared.name),
                               .arguments = {},
                               .deprecation_reason = declared.deprecation_reason,
                               .once_per_request = declared.once_per_request};
    if (definition.type.named->kind == TypeKind::input_object)
        refuse(place + '.' + declared.name + " is of an input type.");
    for (const InputValue& argument : declared.arguments)
        definition.arguments.push_back(input(argument, place + '.' + declared.name));
    refuse_duplicates(definition.arguments, place + '.' + declared.name);
    return definition;
}

Schema::Schema(std::vector<TypeDefinition> types, std::string description)
    : types_(std::make_shared<const TypeSystem>(std::move(types), std::move(description))) {}

}  // namespace data_import::graphql
