#include "graphql/validation.h"

#include <algorithm>
#include <map>
#include <utility>

#include "graphql/execute.h"
#include "graphql/validator.h"

namespace data_import::graphql {

namespace {

FragmentsByName by_name(const Document& document) {
    FragmentsByName fragments;
    for (const Fragment& fragment : document.fragments) fragments[fragment.name.text] = &fragment;
    return fragments;
}

void refuse_type_system(const Subject& subject) {
    for (const std::uint32_t offset : subject.document.type_system_definitions) {
        subject.violations.add("Definitions of types cannot be executed; send operations and fragments only.",
                               {offset});
    }
}

/// Each repeated name is reported with the first place that has it.
template <typename Definition>
void refuse_repeated_definitions(const std::vector<Definition>& definitions, const std::string& what,
                                 Violations& violations) {
    std::map<std::string_view, std::uint32_t> seen;
    for (const Definition& definition : definitions) {
        if (definition.name.empty()) continue;
        const auto [first, is_new] = seen.emplace(definition.name.text, definition.name.offset);
        if (!is_new)
            violations.add(
                "There is more than one " + what + " with the name " + quoted(definition.name.text) + '.',
                {first->second, definition.name.offset});
    }
}

void check_operations(const Subject& subject) {
    const auto& operations = subject.document.operations;
    refuse_repeated_definitions(operations, "operation", subject.violations);
    for (const Operation& operation : operations) {
        if (operation.name.empty() && operations.size() > 1)
            subject.violations.add("An operation without a name has to be the only one.", {operation.offset});
    }
}

void check_all(const Subject& subject) {
    if (!check_nesting(subject)) return;
    refuse_type_system(subject);
    check_operations(subject);
    refuse_repeated_definitions(subject.document.fragments, "fragment", subject.violations);
    const VariableUses uses = check_selections(subject);
    check_variables(subject, uses);
    check_introspection_depth(subject);
    // Comparing fields through cycles has no end that is worth finding: the document is refused anyway.
    if (check_fragments(subject)) check_merging(subject);
}

}  // namespace

void Violations::add(const std::string& sentence, const std::vector<std::uint32_t>& offsets) {
    if (errors_.size() >= max_errors) {
        errors_.push_back({"There are more errors than these; the rest was not checked.",
                           {},
                           {},
                           std::string(code::validation_failed)});
        throw TooManyViolations();
    }
    Error error{sentence, {}, {}, std::string(code::validation_failed)};
    for (const std::uint32_t offset : offsets) error.locations.push_back(locator_.at(offset));
    errors_.push_back(std::move(error));
}

std::vector<Error> Violations::take() {
    const auto place = [](const Error& error) {
        const bool known = !error.locations.empty();
        return known ? std::pair(error.locations.front().line, error.locations.front().column)
                     : std::pair<std::uint32_t, std::uint32_t>(-1, -1);
    };
    std::stable_sort(errors_.begin(), errors_.end(),
                     [&](const Error& left, const Error& right) { return place(left) < place(right); });
    return std::move(errors_);
}

const Fragment* Subject::find_fragment(std::string_view name) const {
    const auto found = fragments.find(name);
    return found == fragments.end() ? nullptr : found->second;
}

std::string quoted(std::string_view name) {
    constexpr std::size_t longest = 64;
    return '"' + std::string(name.substr(0, longest)) + (name.size() > longest ? "...\"" : "\"");
}

void refuse_repeated_names(const std::vector<Name>& names, const std::string& what, Violations& violations) {
    if (names.size() < 2) return;
    std::map<std::string_view, std::vector<std::uint32_t>> places;
    for (const Name& name : names) places[name.text].push_back(name.offset);
    for (const auto& [name, offsets] : places) {
        if (offsets.size() > 1)
            violations.add("There is more than one " + what + " with the name " + quoted(name) + '.',
                           offsets);
    }
}

std::vector<Error> validate(const TypeSystem& types, const Document& document, std::string_view text) {
    Violations violations(text);
    const FragmentsByName fragments = by_name(document);
    try {
        check_all({types, document, fragments, violations});
    } catch (const TooManyViolations&) {
    }
    return violations.take();
}

}  // namespace data_import::graphql
