#include "service/graphql/types.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "service/graphql/coercion.h"
#include "service/graphql/document.h"
#include "service/graphql/error.h"
#include "service/graphql/introspection.h"

namespace data_import::graphql {

namespace {

Type scalar(const char* name, ScalarKind kind, const char* description) {
    return {.kind = TypeKind::scalar, .name = name, .description = description, .scalar = kind};
}

std::vector<Type> standard_scalars() {
    return {scalar("Int", ScalarKind::integer, "A whole number between -2147483648 and 2147483647."),
            scalar("String", ScalarKind::string, "Text in UTF-8."),
            scalar("Boolean", ScalarKind::boolean, "`true` or `false`.")};
}

[[noreturn]] void refuse(const std::string& sentence) {
    throw std::logic_error("This GraphQL schema contradicts itself: " + sentence);
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

TypeReference::TypeReference(const char* text) : TypeReference(parse_type(text)) {}

Schema::Schema(std::vector<Type> types, std::string description)
    : types_(types.begin(), types.end()),
      description_(std::move(description)),
      directives_(standard_directives()),
      meta_fields_({{"__schema", "__Schema!"},
                    {"__type", "__Type", "", {{"name", "String!"}}},
                    {"__typename", "String!"}}) {
    for (const Type& type : introspection_types()) types_.push_back(type);
    refuse_duplicates(types_, "the schema");
    // link() appends to `types_` the language's own scalars that the schema uses, such as Int, because
    // introspection has to show these scalars, too.
    for (Type& type : types_) {
        link(type.fields, type.name);
        link(type.inputs, type.name);
        refuse_duplicates(type.values, type.name);
    }
    for (Directive& directive : directives_) link(directive.arguments, '@' + directive.name);
    link(meta_fields_, "Query");
    read_defaults();
    if (root(OperationKind::query) == nullptr) refuse("there is no type Query.");
}

void Schema::link(TypeReference& reference, const std::string& place) {
    reference.named = find(reference.name);
    if (reference.named != nullptr) return;
    const std::vector<Type> scalars = standard_scalars();
    const Type* scalar = find_by_name(scalars, reference.name);
    if (scalar == nullptr) refuse(place + " is of a type that is not there: " + reference.name);
    reference.named = &types_.emplace_back(*scalar);
}

void Schema::link(std::vector<InputValue>& inputs, const std::string& place) {
    for (InputValue& input : inputs) {
        link(input.type, place + '.' + input.name);
        if (input.type.named->kind == TypeKind::object)
            refuse(place + '.' + input.name + " is not of an input type.");
    }
    refuse_duplicates(inputs, place);
}

void Schema::link(std::vector<Field>& fields, const std::string& place) {
    for (Field& field : fields) {
        link(field.type, place + '.' + field.name);
        if (field.type.named->kind == TypeKind::input_object)
            refuse(place + '.' + field.name + " is of an input type.");
        link(field.arguments, place + '.' + field.name);
    }
    refuse_duplicates(fields, place);
}

/// Reads the default values. Fields of input objects come first, because the default value of an argument may
/// be such an object.
void Schema::read_defaults() {
    const Variables none;
    const LiteralReader reader(none);
    const auto read = [&](std::vector<InputValue>& inputs) {
        for (InputValue& input : inputs) {
            if (input.default_literal)
                input.default_value = reader.read(parse_constant(*input.default_literal), input.type.view());
        }
    };
    try {
        for (Type& type : types_) read(type.inputs);
        for (Type& type : types_) {
            for (Field& field : type.fields) read(field.arguments);
        }
        for (Directive& directive : directives_) read(directive.arguments);
    } catch (const LocatedError& failure) {
        refuse(std::string("a default value is not of its type: ") + failure.what());
    }
}

const Type* Schema::find(std::string_view name) const {
    for (const Type& type : types_) {
        if (type.name == name) return &type;
    }
    return nullptr;
}

const Type* Schema::root(OperationKind kind) const {
    if (kind == OperationKind::subscription) return nullptr;
    const Type* type = find(kind == OperationKind::query ? "Query" : "Mutation");
    return type != nullptr && type->kind == TypeKind::object ? type : nullptr;
}

const Field* Schema::field(const Type& object, std::string_view name) const {
    const bool is_meta = name == "__typename" || (name.starts_with("__") && object.name == "Query");
    return find_by_name(is_meta ? meta_fields_ : object.fields, name);
}

}  // namespace data_import::graphql
