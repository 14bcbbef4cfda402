#include "service/graphql/validation.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "service/graphql/coercion.h"
#include "service/graphql/error.h"
#include "service/graphql/execute.h"
#include "service/graphql/selection.h"

namespace data_import::graphql {

namespace {

[[noreturn]] void refuse(const std::string& sentence, std::optional<std::uint32_t> offset) {
    throw LocatedError(sentence, code::validation_failed, offset);
}

// --- variables (GraphQL, section 5.8) ---

bool is_subtype(TypeView type, TypeView wanted) {
    if (wanted.is_non_null()) return type.is_non_null() && is_subtype(type.inner(), wanted.inner());
    if (type.is_non_null()) return is_subtype(type.inner(), wanted);
    if (wanted.is_list()) return type.is_list() && is_subtype(type.inner(), wanted.inner());
    return !type.is_list() && type.named == wanted.named;
}

/// Returns whether the variable may be used at this place. A variable whose type can be null may be used at a
/// place that does not allow null only if the variable or the place has a default value.
bool is_allowed(const VariableDefinition& variable, TypeView type, const VariableUse& use) {
    if (!use.expected.is_non_null() || type.is_non_null()) return is_subtype(type, use.expected);
    const bool has_default = variable.default_value && variable.default_value->kind != LiteralKind::null;
    return (has_default || use.has_default) && is_subtype(type, use.expected.inner());
}

// --- merging of fields with the same response key (GraphQL, section 5.3.2) ---

bool is_block(const Literal& string) {
    return string.text.starts_with("\"\"\"");
}

bool same_value(const Literal& left, const Literal& right);

/// Compares named values. The order of the names does not count.
bool same_values(const std::vector<Literal>& left, const std::vector<Literal>& right) {
    return left.size() == right.size() && std::all_of(left.begin(), left.end(), [&](const Literal& value) {
               return std::any_of(right.begin(), right.end(), [&](const Literal& other) {
                   return value.name.text == other.name.text && same_value(value, other);
               });
           });
}

bool same_value(const Literal& left, const Literal& right) {
    if (left.kind != right.kind) return false;
    if (left.kind == LiteralKind::string)
        return left.string == right.string && is_block(left) == is_block(right);
    if (left.kind == LiteralKind::object) return same_values(left.items, right.items);
    if (left.kind == LiteralKind::list)
        return std::equal(left.items.begin(), left.items.end(), right.items.begin(), right.items.end(),
                          same_value);
    return left.text == right.text;
}

// --- the document ---

/// The depth of a selection set, with the fragments that it uses.
struct Extent {
    /// Nested levels of selection sets. A selection set without a selection set inside has one level.
    std::size_t levels = 0;
    /// Nested levels of introspection fields that return lists, such as `fields`.
    std::size_t lists = 0;
};

/// The results of checking an operation or a fragment.
struct Findings {
    std::optional<Extent> extent;  ///< the depth; nothing while the check goes on
    VariableUses uses;
    std::vector<const Fragment*> spreads;
};

/// Checks each operation and the fragments that it uses, each fragment once.
class Validation {
public:
    Validation(const Schema& schema, const ExecutableDocument& document)
        : schema_(schema),
          document_(document),
          collector_(document, max_merged_selections, [](const Selection&) { return true; }) {}

    void check() {
        const auto& operations = document_.operations;
        for (const Operation& operation : operations) {
            if (operation.name.empty() && operations.size() > 1)
                refuse("An operation without a name must be the only one.", operation.offset);
            check(operation);
        }
        for (const auto& [name, fragment] : document_.fragments) {
            if (!fragments_.contains(&fragment))
                refuse("The fragment " + in_quotes(name) + " is not used.", fragment.name.offset);
        }
        // check_merging() relies on the checks before it: all fields exist, and no fragment includes itself.
        for (const Operation& operation : operations) check_merging({&operation.set});
    }

private:
    void check(const Operation& operation) {
        const Type* root = schema_.root(operation.kind);
        if (root == nullptr)
            throw LocatedError("This service has no operations of this kind.", code::operation_not_found,
                               operation.offset);
        static constexpr std::array<std::string_view, 3> locations = {"QUERY", "MUTATION", "SUBSCRIPTION"};
        Findings findings;
        for (const VariableDefinition& variable : operation.variables) check(variable, findings);
        check_directives(operation.directives, locations.at(static_cast<std::size_t>(operation.kind)),
                         findings);
        static_cast<void>(check_set(operation.set, *root, 1, findings));
        check_variables(operation, findings);
    }

    void check(const VariableDefinition& variable, Findings& findings) {
        const TypeView type = schema_.view(variable.type);
        if (!type.known() || type.named->kind == TypeKind::object)
            refuse("There is no input type " + in_quotes(variable.type.name) + '.', variable.name.offset);
        if (variable.default_value)
            static_cast<void>(LiteralReader(findings.uses).read(*variable.default_value, type));
        check_directives(variable.directives, "VARIABLE_DEFINITION", findings);
    }

    void check_directives(const std::vector<DirectiveUse>& directives, std::string_view location,
                          Findings& findings) {
        for (const DirectiveUse& directive : directives) {
            const Directive* definition = find_by_name(schema_.directives(), directive.name.text);
            if (definition == nullptr || std::find(definition->locations.begin(), definition->locations.end(),
                                                   location) == definition->locations.end())
                refuse("There is no directive " + in_quotes(directive.name.text) + " for this place.",
                       directive.name.offset);
            static_cast<void>(LiteralReader(findings.uses)
                                  .read(definition->arguments, directive.arguments, directive.name.offset));
        }
    }

    // --- selections (GraphQL, sections 5.3 and 5.5) ---

    Extent check_set(const SelectionSet& set, const Type& type, std::size_t level, Findings& findings) {
        Extent extent;
        for (const Selection& selection : set) {
            if (level > max_document_nesting) refuse_depth(selection);
            const Extent below = check(selection, type, level, findings);
            if (level + below.levels > max_document_nesting) refuse_depth(selection);
            extent = {std::max(extent.levels, below.levels), std::max(extent.lists, below.lists)};
        }
        ++extent.levels;
        return extent;
    }

    [[noreturn]] static void refuse_depth(const Selection& selection) {
        refuse("With its fragments, the document is nested more than " +
                   std::to_string(max_document_nesting) + " levels deep.",
               selection.offset);
    }

    Extent check(const Selection& selection, const Type& type, std::size_t level, Findings& findings) {
        switch (selection.kind) {
            case SelectionKind::field:
                return check_field(selection, type, level, findings);
            case SelectionKind::fragment_spread:
                return check_spread(selection, type, level, findings);
            case SelectionKind::inline_fragment:
                break;
        }
        check_directives(selection.directives, "INLINE_FRAGMENT", findings);
        if (!selection.type_condition.empty()) check_condition(selection.type_condition, type, selection);
        return check_set(selection.set, type, level + 1, findings);
    }

    Extent check_field(const Selection& selection, const Type& type, std::size_t level, Findings& findings) {
        const Field* field = schema_.field(type, selection.name.text);
        if (field == nullptr)
            refuse("The type " + type.name + " has no field " + in_quotes(selection.name.text) + '.',
                   selection.offset);
        static_cast<void>(
            LiteralReader(findings.uses).read(field->arguments, selection.arguments, selection.offset));
        check_directives(selection.directives, "FIELD", findings);
        if (field->type.named->is_leaf() != selection.set.empty())
            refuse("The field " + in_quotes(field->name) +
                       (selection.set.empty() ? " needs a selection of its fields in braces."
                                              : " has no fields to select from."),
                   selection.offset);
        if (selection.set.empty()) return {};
        Extent extent = check_set(selection.set, *field->type.named, level + 1, findings);
        if (is_introspection_list(type, field->name) && ++extent.lists > 2)
            refuse("Lists of introspection are nested too deeply: at most two levels are allowed.",
                   selection.offset);
        return extent;
    }

    /// Returns true for a field of `__Type` that lists parts of the schema. Each level of such fields inside
    /// each other multiplies the length of the answer by the number of the listed parts.
    static bool is_introspection_list(const Type& type, std::string_view field) {
        return type.name == "__Type" && (field == "fields" || field == "interfaces" ||
                                         field == "possibleTypes" || field == "inputFields");
    }

    Extent check_spread(const Selection& spread, const Type& type, std::size_t level, Findings& findings) {
        check_directives(spread.directives, "FRAGMENT_SPREAD", findings);
        const Fragment* fragment = document_.find_fragment(spread.name.text);
        if (fragment == nullptr)
            refuse("There is no fragment " + in_quotes(spread.name.text) + '.', spread.offset);
        check_condition(fragment->type_condition, type, spread);
        findings.spreads.push_back(fragment);
        const auto [entry, is_new] = fragments_.try_emplace(fragment);
        Findings& inside = entry->second;
        if (is_new) {
            check_directives(fragment->directives, "FRAGMENT_DEFINITION", inside);
            inside.extent = check_set(fragment->set, type, level + 1, inside);
        }
        if (!inside.extent)
            refuse("The fragment " + in_quotes(spread.name.text) + " includes itself.", spread.offset);
        return *inside.extent;
    }

    /// Checks that a fragment is on the type in which it is used. All types with fields are objects, so a
    /// fragment on another type could never apply.
    static void check_condition(const Name& condition, const Type& type, const Selection& selection) {
        if (condition.text != type.name)
            refuse("A fragment on " + in_quotes(condition.text) + " cannot be used in a " + type.name + '.',
                   selection.offset);
    }

    // --- the document as a whole ---

    void check_variables(const Operation& operation, const Findings& findings) const {
        struct Variable {
            const VariableDefinition& definition;
            TypeView type;
            bool is_used = false;
        };
        std::unordered_map<std::string_view, Variable> variables;
        for (const VariableDefinition& definition : operation.variables)
            variables.emplace(definition.name.text, Variable{definition, schema_.view(definition.type)});
        for (const Findings* part : with_fragments(findings)) {
            for (const VariableUse& use : part->uses) {
                const auto found = variables.find(use.name);
                if (found == variables.end())
                    refuse("The variable " + in_quotes(use.name) + " is not defined.", use.offset);
                auto& [definition, type, is_used] = found->second;
                if (!is_allowed(definition, type, use))
                    refuse("A variable of type " + type.text() + " is no " + use.expected.text() + '.',
                           use.offset);
                is_used = true;
            }
        }
        for (const VariableDefinition& variable : operation.variables) {
            if (!variables.at(variable.name.text).is_used)
                refuse("The variable " + in_quotes(variable.name.text) + " is not used.",
                       variable.name.offset);
        }
    }

    /// Returns the findings of an operation and of all its fragments, direct or indirect.
    [[nodiscard]] std::vector<const Findings*> with_fragments(const Findings& findings) const {
        std::vector<const Findings*> parts = {&findings};
        std::unordered_set<const Fragment*> seen;
        for (std::size_t next = 0; next < parts.size(); ++next) {
            for (const Fragment* fragment : parts[next]->spreads) {
                if (seen.insert(fragment).second) parts.push_back(&fragments_.at(fragment));
            }
        }
        return parts;
    }

    /// Checks that all fields under one response key are the same field with the same arguments, in `sets`
    /// and in the selections below them. Such fields have the same type, so their selections are merged and
    /// checked in the same way. Because fragments can multiply the work, each combination of sets is checked
    /// only once, and the collector limits the number of visited selections.
    void check_merging(const std::vector<const SelectionSet*>& sets) {
        if (!merged_.insert(sets).second) return;
        for (const FieldGroup& group : collector_.collect(sets)) {
            const Selection& first = *group.fields.front();
            for (const Selection* other : std::span(group.fields).subspan(1)) {
                if (first.name.text != other->name.text || !same_values(first.arguments, other->arguments))
                    refuse("Different fields, or different arguments, need different aliases: " +
                               in_quotes(group.key) + '.',
                           other->offset);
            }
            if (!first.set.empty()) check_merging(group.sets());
        }
    }

    const Schema& schema_;
    const ExecutableDocument& document_;
    FieldCollector collector_;
    std::unordered_map<const Fragment*, Findings> fragments_;  ///< findings of the fragments that are used
    std::set<std::vector<const SelectionSet*>> merged_;
};

}  // namespace

void validate(const Schema& schema, const ExecutableDocument& document) {
    try {
        Validation(schema, document).check();
    } catch (const TooMuchWork& limit) {
        refuse(limit.what(), std::nullopt);
    }
}

}  // namespace data_import::graphql
