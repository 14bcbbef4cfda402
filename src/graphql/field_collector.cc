#include <algorithm>

#include "graphql/execution.h"

namespace data_import::graphql {

namespace {

/// Selections that one request looks at; every field of the answer costs at least one.
constexpr std::size_t max_visited = 4 * max_answered_fields;

const Directive* find_directive(const Selection& selection, std::string_view name) {
    for (const Directive& directive : selection.directives) {
        if (directive.name.text == name) return &directive;
    }
    return nullptr;
}

}  // namespace

Value coerce_arguments(const std::vector<InputDefinition>& definitions,
                       const std::vector<NamedValue>& arguments, const Variables& variables,
                       std::uint32_t offset) {
    Value::Members members;
    for (const InputDefinition& definition : definitions) {
        const auto has_name = [&](const NamedValue& given) { return given.name.text == definition.name; };
        const auto given = std::find_if(arguments.begin(), arguments.end(), has_name);
        const bool is_given = given != arguments.end() && !is_missing(given->value, variables);
        if (!is_given) {
            if (definition.is_required())
                throw FieldFailure("The argument " + definition.name + " has no value; it is required.",
                                   code::bad_user_input,
                                   given == arguments.end() ? offset : given->value.offset);
            if (definition.default_value) members.push_back({definition.name, *definition.default_value});
            continue;
        }
        auto value = coerce_literal(given->value, definition.type.view(), variables);
        if (!value)
            throw FieldFailure("The argument " + definition.name + " is not a value of type " +
                                   definition.type.view().text() + '.',
                               code::bad_user_input, given->value.offset);
        members.push_back({definition.name, std::move(*value)});
    }
    return members;
}

FieldCollector::FieldCollector(const TypeSystem& types, const Document& document, const Variables& variables)
    : types_(types), variables_(variables) {
    for (const Fragment& fragment : document.fragments) fragments_.emplace(fragment.name.text, &fragment);
}

std::vector<FieldGroup> FieldCollector::collect(const NamedType& type, const SelectionSet& set) {
    Collection collection{.type = type};
    add(collection, set);
    return std::move(collection.groups);
}

std::vector<FieldGroup> FieldCollector::collect(const NamedType& type, const FieldGroup& parents) {
    Collection collection{.type = type};
    for (const Selection* parent : parents.fields) add(collection, parent->set);
    return std::move(collection.groups);
}

void FieldCollector::add(Collection& collection, const SelectionSet& set) {
    for (const Selection& selection : set.selections) {
        if (++visited_ > max_visited)
            throw TooMuchWork("The document asks for too much: fragments multiply its selections.");
        if (is_taken(selection)) add(collection, selection);
    }
}

void FieldCollector::add(Collection& collection, const Selection& selection) {
    if (selection.kind == SelectionKind::fragment_spread) {
        add_fragment(collection, selection.name.text);
    } else if (selection.kind == SelectionKind::inline_fragment) {
        if (selection.type_condition.empty() || selection.type_condition.text == collection.type.name)
            add(collection, selection.set);
    } else {
        collection.group(selection.response_key()).fields.push_back(&selection);
    }
}

void FieldCollector::add_fragment(Collection& collection, std::string_view name) {
    const Fragment& fragment = *fragments_.at(name);
    if (!collection.seen.insert(&fragment).second) return;
    if (fragment.type_condition.text == collection.type.name) add(collection, fragment.set);
}

FieldGroup& FieldCollector::Collection::group(std::string_view key) {
    const auto [place, is_new] = index.try_emplace(key, groups.size());
    return is_new ? groups.emplace_back(FieldGroup{key, {}}) : groups[place->second];
}

bool FieldCollector::is_true(const Directive& directive) const {
    const DirectiveDefinition& definition = *find_by_name(types_.directives(), directive.name.text);
    const Value arguments =
        coerce_arguments(definition.arguments, directive.arguments, variables_, directive.offset);
    return arguments.find("if")->boolean();
}

bool FieldCollector::is_taken(const Selection& selection) const {
    const Directive* skip = find_directive(selection, "skip");
    if (skip != nullptr && is_true(*skip)) return false;
    const Directive* include = find_directive(selection, "include");
    return include == nullptr || is_true(*include);
}

}  // namespace data_import::graphql
