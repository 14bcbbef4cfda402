// Rules about variables (section 5.8): defined, used, and of a type that fits where they are used.
#include <unordered_map>
#include <unordered_set>

#include "graphql/validator.h"

namespace data_import::graphql {

namespace {

using DefinitionsByName = std::unordered_map<std::string_view, const VariableDefinition*>;

std::string variable_text(std::string_view name) {
    return '$' + std::string(name.substr(0, 64));
}

/// The fragments that an operation takes in, directly or through others.
std::vector<const Fragment*> fragments_of(const Subject& subject, const Operation& operation) {
    std::vector<const Fragment*> found;
    std::unordered_set<const Fragment*> seen;
    const auto add = [&](const SelectionSet& set) {
        for (const Selection* spread : spreads_in(set)) {
            const Fragment* fragment = subject.find_fragment(spread->name.text);
            if (fragment != nullptr && seen.insert(fragment).second) found.push_back(fragment);
        }
    };
    add(operation.set);
    for (std::size_t next = 0; next < found.size(); ++next) add(found[next]->set);
    return found;
}

bool is_subtype(TypeView type, TypeView wanted) {
    if (wanted.is_non_null()) return type.is_non_null() && is_subtype(type.inner(), wanted.inner());
    if (type.is_non_null()) return is_subtype(type.inner(), wanted);
    if (wanted.is_list()) return type.is_list() && is_subtype(type.inner(), wanted.inner());
    return !type.is_list() && type.named == wanted.named;
}

/// A default value, of the variable or of the place, makes up for a type that can be null.
bool is_allowed(const VariableDefinition& variable, TypeView type, const VariableUse& use) {
    if (!use.expected.is_non_null() || type.is_non_null()) return is_subtype(type, use.expected);
    const bool has_default = variable.has_default && variable.default_value.kind != ValueKind::null;
    return (has_default || use.has_default) && is_subtype(type, use.expected.inner());
}

/// Checks the variables of one operation.
class VariableCheck {
public:
    VariableCheck(const Subject& subject, const Operation& operation)
        : subject_(subject), operation_(operation) {
        for (const VariableDefinition& variable : operation.variables)
            defined_[variable.name.text] = &variable;
    }

    void check(const std::vector<VariableUse>& uses) {
        for (const VariableUse& use : uses) check(use);
    }

    void refuse_unused() {
        for (const VariableDefinition& variable : operation_.variables) {
            if (!used_.contains(variable.name.text))
                subject_.violations.add("The variable " + variable_text(variable.name.text) + " is not used.",
                                        {variable.offset});
        }
    }

private:
    void check(const VariableUse& use) {
        const auto found = defined_.find(use.name.text);
        used_.insert(use.name.text);
        if (found == defined_.end()) {
            subject_.violations.add(
                "The variable " + variable_text(use.name.text) + " is not defined by the operation.",
                {use.name.offset, operation_.offset});
            return;
        }
        const VariableDefinition& variable = *found->second;
        const TypeView type = subject_.types.view(variable.type);
        if (!type.known() || !use.expected.known() || is_allowed(variable, type, use)) return;
        subject_.violations.add("The variable " + variable_text(use.name.text) + " is of type " +
                                    type.text() + ", and cannot be used where " + use.expected.text() +
                                    " is expected.",
                                {variable.offset, use.name.offset});
    }

    const Subject& subject_;
    const Operation& operation_;
    DefinitionsByName defined_;
    std::unordered_set<std::string_view> used_;
};

}  // namespace

void check_variables(const Subject& subject, const VariableUses& uses) {
    for (const Operation& operation : subject.document.operations) {
        VariableCheck check(subject, operation);
        check.check(uses.at(operation.offset));
        for (const Fragment* fragment : fragments_of(subject, operation))
            check.check(uses.at(fragment->offset));
        check.refuse_unused();
    }
}

}  // namespace data_import::graphql
