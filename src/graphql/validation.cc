#include "graphql/validation.h"

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

#include "graphql/coercion.h"
#include "graphql/error.h"
#include "graphql/execute.h"
#include "graphql/parser.h"
#include "graphql/selection.h"

namespace data_import::graphql {

namespace {

[[noreturn]] void refuse(const std::string& sentence, std::optional<std::uint32_t> offset) {
    throw LocatedError(sentence, code::validation_failed, offset);
}

/// How a sentence names something that the document names; cut where it is long.
std::string quoted(std::string_view name) {
    constexpr std::size_t longest = 64;
    return '"' + std::string(name.substr(0, longest)) + (name.size() > longest ? "...\"" : "\"");
}

template <typename Named>
void refuse_repeated(const std::vector<Named>& list, const std::string& what) {
    if (list.size() < 2) return;
    std::unordered_set<std::string_view> seen;
    for (const Named& item : list) {
        if (!item.name.empty() && !seen.insert(item.name.text).second)
            refuse("There is more than one " + what + " with the name " + quoted(item.name.text) + '.',
                   item.name.offset);
    }
}

// --- values (sections 5.4 and 5.6) ---

/// A variable where it is used.
struct VariableUse {
    std::string_view name;
    std::uint32_t offset;
    TypeView expected;  ///< unknown inside a scalar that takes anything
    bool has_default;   ///< the place has a default value of its own
};

using VariableUses = std::vector<VariableUse>;

void check_literal(const Literal& literal, TypeView type, bool has_default, VariableUses& uses);

/// Arguments, or the fields of an input object.
void check_inputs(const std::vector<InputValue>& inputs, const std::vector<NamedLiteral>& given,
                  std::uint32_t offset, VariableUses& uses) {
    refuse_repeated(given, "argument or field");
    for (const NamedLiteral& literal : given) {
        const InputValue* input = find_by_name(inputs, literal.name.text);
        if (input == nullptr)
            refuse("There is no argument or field " + quoted(literal.name.text) + " here.",
                   literal.name.offset);
        check_literal(literal.value, input->type.view(), input->default_literal.has_value(), uses);
    }
    for (const InputValue& input : inputs) {
        const auto has_name = [&](const NamedLiteral& literal) { return literal.name.text == input.name; };
        if (input.is_required() && std::none_of(given.begin(), given.end(), has_name))
            refuse(
                '"' + input.name + "\" is missing here; it is a required " + input.type.view().text() + '.',
                offset);
    }
}

/// Inside a scalar that takes anything.
void check_anything(const Literal& literal, VariableUses& uses) {
    refuse_repeated(literal.fields, "field");
    if (literal.kind == LiteralKind::variable) uses.push_back({literal.text, literal.offset, {}, false});
    for (const Literal& item : literal.items) check_anything(item, uses);
    for (const NamedLiteral& field : literal.fields) check_anything(field.value, uses);
}

void check_literal(const Literal& literal, TypeView type, bool has_default, VariableUses& uses) {
    const TypeView nullable = type.nullable();
    const bool is_object = literal.kind == LiteralKind::object;
    if (literal.kind == LiteralKind::variable) {
        uses.push_back({literal.text, literal.offset, type, has_default});
    } else if (literal.kind == LiteralKind::null) {
        if (type.is_non_null())
            refuse("This value must not be null; it is of type " + type.text() + '.', literal.offset);
    } else if (nullable.is_list() && literal.kind != LiteralKind::list) {
        check_literal(literal, nullable.inner(), false, uses);
    } else if (nullable.is_list()) {
        for (const Literal& item : literal.items) check_literal(item, nullable.inner(), false, uses);
    } else if (type.named->kind == TypeKind::input_object && is_object) {
        check_inputs(type.named->inputs, literal.fields, literal.offset, uses);
    } else if (!type.named->is_leaf() || !fits_leaf(literal, *type.named)) {
        refuse("This is not a value of type " + type.text() + '.', literal.offset);
    } else {
        check_anything(literal, uses);
    }
}

// --- variables (section 5.8) ---

bool is_subtype(TypeView type, TypeView wanted) {
    if (wanted.is_non_null()) return type.is_non_null() && is_subtype(type.inner(), wanted.inner());
    if (type.is_non_null()) return is_subtype(type.inner(), wanted);
    if (wanted.is_list()) return type.is_list() && is_subtype(type.inner(), wanted.inner());
    return !type.is_list() && type.named == wanted.named;
}

/// A default value, of the variable or of the place, makes up for a type that can be null.
bool is_allowed(const VariableDefinition& variable, TypeView type, const VariableUse& use) {
    if (!use.expected.known()) return true;
    if (!use.expected.is_non_null() || type.is_non_null()) return is_subtype(type, use.expected);
    const bool has_default = variable.default_value && variable.default_value->kind != LiteralKind::null;
    return (has_default || use.has_default) && is_subtype(type, use.expected.inner());
}

// --- merging (section 5.3.2) ---

bool is_block(const Literal& string) {
    return string.text.starts_with("\"\"\"");
}

bool same_value(const Literal& left, const Literal& right);

/// Their order does not count.
bool same_values(const std::vector<NamedLiteral>& left, const std::vector<NamedLiteral>& right) {
    return left.size() == right.size() && std::all_of(left.begin(), left.end(), [&](const auto& value) {
               return std::any_of(right.begin(), right.end(), [&](const auto& other) {
                   return value.name.text == other.name.text && same_value(value.value, other.value);
               });
           });
}

bool same_value(const Literal& left, const Literal& right) {
    if (left.kind != right.kind) return false;
    if (left.kind == LiteralKind::string)
        return left.string == right.string && is_block(left) == is_block(right);
    if (left.kind == LiteralKind::object) return same_values(left.fields, right.fields);
    if (left.kind == LiteralKind::list)
        return std::equal(left.items.begin(), left.items.end(), right.items.begin(), right.items.end(),
                          same_value);
    return left.text == right.text;
}

// --- the document ---

/// How much a selection set holds, fragments taken in.
struct Extent {
    std::size_t levels = 0;  ///< of selection sets inside one another, its own one included
    std::size_t lists = 0;   ///< of introspection inside one another
};

/// What is found out about an operation or a fragment.
struct Findings {
    std::optional<Extent> extent;  ///< nothing as long as it is being looked at
    VariableUses uses;
    std::vector<const Fragment*> spreads;
};

/// Goes from each operation into the fragments that it takes in, and through each of them once.
class Validation {
public:
    Validation(const Schema& schema, const Document& document)
        : schema_(schema),
          document_(document),
          collector_(document, max_merged_selections, [](const Selection&) { return true; }) {}

    void check() {
        const auto& operations = document_.operations;
        refuse_repeated(operations, "operation");
        refuse_repeated(document_.fragments, "fragment");
        for (const Operation& operation : operations) {
            if (operation.name.empty() && operations.size() > 1)
                refuse("An operation without a name has to be the only one.", operation.offset);
            check(operation);
        }
        for (const Fragment& fragment : document_.fragments) {
            if (!fragments_.contains(&fragment))
                refuse("The fragment " + quoted(fragment.name.text) + " is not used.", fragment.name.offset);
        }
        // Fields are known to be there now, and fragments to have an end.
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
        refuse_repeated(operation.variables, "variable");
        for (const VariableDefinition& variable : operation.variables) check(variable, findings);
        check_directives(operation.directives, locations.at(static_cast<std::size_t>(operation.kind)),
                         findings);
        static_cast<void>(check_set(operation.set, *root, 1, findings));
        check_variables(operation, findings);
    }

    void check(const VariableDefinition& variable, Findings& findings) {
        const TypeView type = type_of(variable);
        if (!type.known())
            refuse("There is no type " + quoted(variable.type.name) + '.', variable.name.offset);
        if (type.named->kind == TypeKind::object)
            refuse("A variable cannot be of type " + type.text() + ", which is for answers only.",
                   variable.name.offset);
        if (variable.default_value) check_literal(*variable.default_value, type, false, findings.uses);
        check_directives(variable.directives, "VARIABLE_DEFINITION", findings);
    }

    [[nodiscard]] TypeView type_of(const VariableDefinition& variable) const {
        return {schema_.find(variable.type.name), variable.type.wraps};
    }

    void check_directives(const std::vector<DirectiveUse>& directives, std::string_view location,
                          Findings& findings) {
        refuse_repeated(directives, "directive");
        for (const DirectiveUse& directive : directives) {
            const Directive* definition = find_by_name(schema_.directives(), directive.name.text);
            if (definition == nullptr || std::find(definition->locations.begin(), definition->locations.end(),
                                                   location) == definition->locations.end())
                refuse("There is no directive " + quoted(directive.name.text) + " for this place.",
                       directive.name.offset);
            check_inputs(definition->arguments, directive.arguments, directive.name.offset, findings.uses);
        }
    }

    // --- selections (sections 5.3 and 5.5) ---

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
        refuse("With fragments taken in, the document is nested more than " +
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
            refuse("The type " + type.name + " has no field " + quoted(selection.name.text) + '.',
                   selection.offset);
        check_inputs(field->arguments, selection.arguments, selection.offset, findings.uses);
        check_directives(selection.directives, "FIELD", findings);
        if (field->type.named->is_leaf() != selection.set.empty())
            refuse("The field " + quoted(field->name) + " is of type " + field->type.view().text() +
                       (selection.set.empty() ? ", and needs a selection of its fields in braces."
                                              : ", which has no fields to select from."),
                   selection.offset);
        if (selection.set.empty()) return {};
        Extent extent = check_set(selection.set, *field->type.named, level + 1, findings);
        if (is_introspection_list(type, field->name) && ++extent.lists > 2)
            refuse("Lists of introspection stand too deep inside one another; at most two are allowed.",
                   selection.offset);
        return extent;
    }

    /// Each of them multiplies the answer by the size of the schema.
    static bool is_introspection_list(const Type& type, std::string_view field) {
        return type.name == "__Type" && (field == "fields" || field == "interfaces" ||
                                         field == "possibleTypes" || field == "inputFields");
    }

    Extent check_spread(const Selection& spread, const Type& type, std::size_t level, Findings& findings) {
        check_directives(spread.directives, "FRAGMENT_SPREAD", findings);
        const Fragment* fragment = collector_.find_fragment(spread.name.text);
        if (fragment == nullptr)
            refuse("There is no fragment with the name " + quoted(spread.name.text) + '.', spread.offset);
        check_condition(fragment->type_condition, type, spread);
        findings.spreads.push_back(fragment);
        const auto [entry, is_new] = fragments_.try_emplace(fragment);
        Findings& inside = entry->second;
        if (is_new) {
            check_directives(fragment->directives, "FRAGMENT_DEFINITION", inside);
            inside.extent = check_set(fragment->set, type, level + 1, inside);
        }
        if (!inside.extent)
            refuse(
                "The fragment " + quoted(spread.name.text) + " takes itself in, directly or through others.",
                spread.offset);
        return *inside.extent;
    }

    /// All types with fields are objects: a fragment is on the type itself, or can never be of use.
    static void check_condition(const Name& condition, const Type& type, const Selection& selection) {
        if (condition.text != type.name)
            refuse("A fragment on " + quoted(condition.text) + " cannot stand in a " + type.name + '.',
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
            variables.emplace(definition.name.text, Variable{definition, type_of(definition)});
        for (const Findings* part : with_fragments(findings)) {
            for (const VariableUse& use : part->uses) {
                const auto found = variables.find(use.name);
                if (found == variables.end())
                    refuse("The variable " + quoted(use.name) + " is not defined by the operation.",
                           use.offset);
                auto& [definition, type, is_used] = found->second;
                if (!is_allowed(definition, type, use))
                    refuse("The variable " + quoted(use.name) + " is of type " + type.text() +
                               ", and cannot be used where " + use.expected.text() + " is expected.",
                           use.offset);
                is_used = true;
            }
        }
        for (const auto& [name, variable] : variables) {
            if (!variable.is_used)
                refuse("The variable " + quoted(name) + " is not used.", variable.definition.name.offset);
        }
    }

    /// Those of an operation, and of all fragments that it takes in, directly or through others.
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

    /// Fields under one key have to be the same field with the same arguments. They are of the same type
    /// then, so that what they select can be merged and looked at in the same way. What was looked at once is
    /// remembered, and all of it together limited: fragments can multiply it.
    void check_merging(const std::vector<const SelectionSet*>& sets) {
        if (!merged_.insert(sets).second) return;
        for (const FieldGroup& group : collector_.collect(sets)) {
            const Selection& first = *group.fields.front();
            for (const Selection* other : std::span(group.fields).subspan(1)) {
                if (first.name.text != other->name.text || !same_values(first.arguments, other->arguments))
                    refuse(
                        "Fields with the key " + quoted(group.key) +
                            " cannot be merged: they are different fields, or their arguments differ. Give "
                            "them different aliases.",
                        other->offset);
            }
            if (!first.set.empty()) check_merging(group.sets());
        }
    }

    const Schema& schema_;
    const Document& document_;
    FieldCollector collector_;
    std::unordered_map<const Fragment*, Findings> fragments_;  ///< those that are taken in
    std::set<std::vector<const SelectionSet*>> merged_;
};

}  // namespace

void validate(const Schema& schema, const Document& document) {
    try {
        Validation(schema, document).check();
    } catch (const TooMuchWork& limit) {
        refuse(limit.what(), std::nullopt);
    }
}

Value read_constant(std::string_view literal, TypeView type) {
    VariableUses none;
    const Literal constant = parse_constant(literal);
    check_literal(constant, type, false, none);
    return coerce_literal(constant, type, {});
}

}  // namespace data_import::graphql
