// Rules that look at one field, argument, directive or value at a time (sections 5.3, 5.4, 5.6, 5.7).
#include <algorithm>
#include <map>
#include <unordered_set>

#include "graphql/coercion.h"
#include "graphql/validator.h"

namespace data_import::graphql {

namespace {

/// The definitions of arguments, and how a sentence names what has them. Without definitions, nothing is
/// known.
struct ArgumentOwner {
    const std::vector<InputDefinition>* definitions;
    std::string name;
    std::uint32_t offset;
};

/// Checks one operation or fragment.
class SelectionCheck {
public:
    SelectionCheck(const Subject& subject, std::vector<VariableUse>& uses) : subject_(subject), uses_(uses) {}

    void check(const Operation& operation);
    void check(const Fragment& fragment);

private:
    void check_set(const SelectionSet& set, const NamedType* parent);
    void check_field(const Selection& field, const NamedType* parent);
    void check_spread(const Selection& spread, const NamedType* parent);
    void check_inline_fragment(const Selection& fragment, const NamedType* parent);
    void check_overlap(const Selection& spread, const NamedType* inner, const NamedType* parent);
    void check_sub_selections(const Selection& field, const FieldDefinition& definition);
    [[nodiscard]] const NamedType* check_type_condition(const Name& condition);
    void check_directives(const std::vector<Directive>& directives, std::string_view location);
    void check_repeated_directives(const std::vector<Directive>& directives);
    void check_arguments(const std::vector<NamedValue>& arguments, const ArgumentOwner& owner);
    void check_required(const std::vector<NamedValue>& arguments, const ArgumentOwner& owner);
    void check_variable(const VariableDefinition& variable);

    // `silent`: a value around this one is wrong already, so that only names are checked.
    void check_value(const ValueNode& value, TypeView type, bool has_default, bool silent);
    void check_list(const ValueNode& list, TypeView type, bool silent);
    void check_object(const ValueNode& object, TypeView type, bool silent);
    void check_object_fields(const ValueNode& object, const NamedType& type);
    void check_leaf(const ValueNode& value, TypeView type, bool silent);

    [[nodiscard]] const TypeSystem& types() const { return subject_.types; }
    void refuse(const std::string& sentence, std::vector<std::uint32_t> offsets) {
        subject_.violations.add(sentence, offsets);
    }

    const Subject& subject_;
    std::vector<VariableUse>& uses_;
};

const NamedType* object_or_unknown(const NamedType* type) {
    return type != nullptr && type->kind == TypeKind::object ? type : nullptr;
}

std::string_view location_of(OperationKind kind) {
    if (kind == OperationKind::query) return "QUERY";
    return kind == OperationKind::mutation ? "MUTATION" : "SUBSCRIPTION";
}

std::vector<Name> names_of(const std::vector<NamedValue>& values) {
    std::vector<Name> names;
    names.reserve(values.size());
    for (const NamedValue& value : values) names.push_back(value.name);
    return names;
}

void SelectionCheck::check(const Operation& operation) {
    std::vector<Name> names;
    for (const VariableDefinition& variable : operation.variables) {
        names.push_back(variable.name);
        check_variable(variable);
    }
    refuse_repeated_names(names, "variable", subject_.violations);
    check_directives(operation.directives, location_of(operation.kind));
    check_set(operation.set, types().root(operation.kind));
}

void SelectionCheck::check(const Fragment& fragment) {
    const NamedType* type = check_type_condition(fragment.type_condition);
    check_directives(fragment.directives, "FRAGMENT_DEFINITION");
    check_set(fragment.set, type);
}

void SelectionCheck::check_set(const SelectionSet& set, const NamedType* parent) {
    for (const Selection& selection : set.selections) {
        switch (selection.kind) {
            case SelectionKind::field:
                check_field(selection, parent);
                break;
            case SelectionKind::fragment_spread:
                check_spread(selection, parent);
                break;
            case SelectionKind::inline_fragment:
                check_inline_fragment(selection, parent);
                break;
        }
    }
}

void SelectionCheck::check_field(const Selection& field, const NamedType* parent) {
    const FieldDefinition* definition = parent == nullptr ? nullptr : types().field(*parent, field.name.text);
    if (parent != nullptr && definition == nullptr)
        refuse("The type " + parent->name + " has no field " + quoted(field.name.text) + '.', {field.offset});
    check_arguments(field.arguments, {definition == nullptr ? nullptr : &definition->arguments,
                                      "the field " + quoted(field.name.text), field.offset});
    check_directives(field.directives, "FIELD");
    if (definition != nullptr) check_sub_selections(field, *definition);
    check_set(field.set, definition == nullptr ? nullptr : object_or_unknown(definition->type.named));
}

void SelectionCheck::check_sub_selections(const Selection& field, const FieldDefinition& definition) {
    const std::string what =
        "The field " + quoted(field.name.text) + " of type " + definition.type.view().text();
    const bool is_leaf = definition.type.named->is_leaf();
    if (is_leaf && !field.set.empty()) refuse(what + " has no fields to select from.", {field.set.offset});
    if (!is_leaf && field.set.empty())
        refuse(what + " needs a selection of its fields in braces.", {field.offset});
}

void SelectionCheck::check_spread(const Selection& spread, const NamedType* parent) {
    check_directives(spread.directives, "FRAGMENT_SPREAD");
    const Fragment* fragment = subject_.find_fragment(spread.name.text);
    if (fragment == nullptr) {
        refuse("There is no fragment with the name " + quoted(spread.name.text) + '.', {spread.name.offset});
        return;
    }
    check_overlap(spread, object_or_unknown(types().find(fragment->type_condition.text)), parent);
}

void SelectionCheck::check_inline_fragment(const Selection& fragment, const NamedType* parent) {
    const NamedType* type =
        fragment.type_condition.empty() ? parent : check_type_condition(fragment.type_condition);
    check_overlap(fragment, type, parent);
    check_directives(fragment.directives, "INLINE_FRAGMENT");
    check_set(fragment.set, type);
}

void SelectionCheck::check_overlap(const Selection& spread, const NamedType* inner, const NamedType* parent) {
    if (inner == nullptr || parent == nullptr || inner == parent) return;
    refuse("A fragment on " + inner->name + " cannot stand in a " + parent->name + ", which it can never be.",
           {spread.offset});
}

/// The object type, or nullptr.
const NamedType* SelectionCheck::check_type_condition(const Name& condition) {
    const NamedType* type = types().find(condition.text);
    if (type == nullptr) {
        refuse("There is no type " + quoted(condition.text) + '.', {condition.offset});
    } else if (type->kind != TypeKind::object) {
        refuse("A fragment cannot be on " + type->name + ", which has no fields to select from.",
               {condition.offset});
    }
    return object_or_unknown(type);
}

void SelectionCheck::check_directives(const std::vector<Directive>& directives, std::string_view location) {
    check_repeated_directives(directives);
    for (const Directive& directive : directives) {
        const DirectiveDefinition* definition = find_by_name(types().directives(), directive.name.text);
        const std::string name = "the directive " + quoted(directive.name.text);
        if (definition == nullptr) {
            refuse("There is no directive with the name " + quoted(directive.name.text) + '.',
                   {directive.offset});
        } else if (!definition->may_stand_at(location)) {
            refuse("Here, at " + std::string(location) + ", " + name + " cannot stand.", {directive.offset});
        }
        check_arguments(directive.arguments,
                        {definition == nullptr ? nullptr : &definition->arguments, name, directive.offset});
    }
}

void SelectionCheck::check_repeated_directives(const std::vector<Directive>& directives) {
    std::map<std::string_view, std::uint32_t> seen;
    for (const Directive& directive : directives) {
        if (find_by_name(types().directives(), directive.name.text) == nullptr) continue;
        const auto [first, is_new] = seen.emplace(directive.name.text, directive.offset);
        if (!is_new)
            refuse("The directive " + quoted(directive.name.text) + " can stand in one place once only.",
                   {first->second, directive.offset});
    }
}

void SelectionCheck::check_arguments(const std::vector<NamedValue>& arguments, const ArgumentOwner& owner) {
    refuse_repeated_names(names_of(arguments), "argument", subject_.violations);
    for (const NamedValue& argument : arguments) {
        const InputDefinition* definition =
            owner.definitions == nullptr ? nullptr : find_by_name(*owner.definitions, argument.name.text);
        if (owner.definitions != nullptr && definition == nullptr)
            refuse("There is no argument " + quoted(argument.name.text) + " of " + owner.name + '.',
                   {argument.name.offset});
        const bool known = definition != nullptr;
        check_value(argument.value, known ? definition->type.view() : TypeView(),
                    known && definition->default_value, false);
    }
    if (owner.definitions != nullptr) check_required(arguments, owner);
}

void SelectionCheck::check_required(const std::vector<NamedValue>& arguments, const ArgumentOwner& owner) {
    for (const InputDefinition& definition : *owner.definitions) {
        const auto has_name = [&](const NamedValue& given) { return given.name.text == definition.name; };
        if (!definition.is_required() || std::any_of(arguments.begin(), arguments.end(), has_name)) continue;
        refuse("The argument \"" + definition.name + "\" of " + owner.name +
                   " is missing; it is a required " + definition.type.view().text() + '.',
               {owner.offset});
    }
}

void SelectionCheck::check_variable(const VariableDefinition& variable) {
    const TypeView type = types().view(variable.type);
    const std::string name = "The variable $" + std::string(variable.name.text.substr(0, 64));
    if (!type.known())
        refuse("There is no type " + quoted(variable.type.name.text) + '.', {variable.type.name.offset});
    if (type.known() && !type.named->is_input())
        refuse(name + " cannot be of type " + type.text() + ", which is for answers only.",
               {variable.type.offset});
    const bool is_input = type.known() && type.named->is_input();
    if (variable.has_default) check_value(variable.default_value, is_input ? type : TypeView(), false, false);
    check_directives(variable.directives, "VARIABLE_DEFINITION");
}

void SelectionCheck::check_value(const ValueNode& value, TypeView type, bool has_default, bool silent) {
    switch (value.kind) {
        case ValueKind::variable:
            uses_.push_back({{value.text, value.offset}, type, has_default});
            break;
        case ValueKind::list:
            check_list(value, type, silent);
            break;
        case ValueKind::object:
            check_object(value, type, silent);
            break;
        case ValueKind::null:
            if (!silent && type.known() && type.is_non_null())
                refuse("This value must not be null; it is of type " + type.text() + '.', {value.offset});
            break;
        default:
            check_leaf(value, type, silent);
    }
}

void SelectionCheck::check_list(const ValueNode& list, TypeView type, bool silent) {
    const TypeView nullable = type.nullable();
    if (!nullable.is_list()) {
        check_leaf(list, nullable, silent);
        silent = true;
    }
    for (const ValueNode& item : list.items)
        check_value(item, nullable.is_list() ? nullable.inner() : nullable, false, silent);
}

void SelectionCheck::check_object(const ValueNode& object, TypeView type, bool silent) {
    const bool is_input_object = type.known() && type.named->kind == TypeKind::input_object;
    if (!is_input_object) check_leaf(object, type, silent);
    if (is_input_object && !silent) check_object_fields(object, *type.named);
    std::map<std::string_view, std::uint32_t> seen;
    for (const NamedValue& field : object.fields) {
        const auto [first, is_new] = seen.emplace(field.name.text, field.name.offset);
        if (!is_new)
            refuse("There is more than one field with the name " + quoted(field.name.text) + '.',
                   {first->second, field.name.offset});
        const InputDefinition* definition =
            is_input_object ? find_by_name(type.named->inputs, field.name.text) : nullptr;
        const bool known = definition != nullptr;
        check_value(field.value, known ? definition->type.view() : TypeView(),
                    known && definition->default_value, silent || !is_input_object);
    }
}

void SelectionCheck::check_object_fields(const ValueNode& object, const NamedType& type) {
    std::unordered_set<std::string_view> given;
    for (const NamedValue& field : object.fields) {
        given.insert(field.name.text);
        if (find_by_name(type.inputs, field.name.text) == nullptr)
            refuse("The type " + type.name + " has no field " + quoted(field.name.text) + '.',
                   {field.name.offset});
    }
    for (const InputDefinition& input : type.inputs) {
        if (input.is_required() && !given.contains(input.name))
            refuse("The field \"" + input.name + "\" of " + type.name + " is missing; it is a required " +
                       input.type.view().text() + '.',
                   {object.offset});
    }
}

void SelectionCheck::check_leaf(const ValueNode& value, TypeView type, bool silent) {
    if (silent || !type.known() || (type.named->is_leaf() && fits_leaf(value, *type.named))) return;
    refuse("This is not a value of type " + type.text() + '.', {value.offset});
}

}  // namespace

VariableUses check_selections(const Subject& subject) {
    VariableUses uses;
    for (const Operation& operation : subject.document.operations)
        SelectionCheck(subject, uses[operation.offset]).check(operation);
    for (const Fragment& fragment : subject.document.fragments)
        SelectionCheck(subject, uses[fragment.offset]).check(fragment);
    return uses;
}

}  // namespace data_import::graphql
