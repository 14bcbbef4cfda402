// What the rules of validation share. Private to the folder.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graphql/document.h"
#include "graphql/error.h"
#include "graphql/source_text.h"
#include "graphql/type_system.h"

namespace data_import::graphql {

/// So many violations that nothing more is looked for.
class TooManyViolations {};

/// Collects violations.
class Violations {
public:
    explicit Violations(std::string_view text) : locator_(text) {}

    /// `offsets` are the places in the document that the sentence is about. Throws TooManyViolations.
    void add(const std::string& sentence, const std::vector<std::uint32_t>& offsets);
    /// Ordered by first place.
    [[nodiscard]] std::vector<Error> take();

private:
    Locator locator_;
    std::vector<Error> errors_;
};

using FragmentsByName = std::unordered_map<std::string_view, const Fragment*>;

/// What all rules look at.
struct Subject {
    const TypeSystem& types;
    const Document& document;
    const FragmentsByName& fragments;
    Violations& violations;

    /// nullptr for a name that is not there.
    [[nodiscard]] const Fragment* find_fragment(std::string_view name) const;
};

/// A variable where it is used.
struct VariableUse {
    Name name;                 ///< the offset is that of the dollar sign
    TypeView expected;         ///< unknown where nothing is known about the place
    bool has_default = false;  ///< the place has a default value of its own
};

/// The uses of variables in each operation and fragment, by where its definition stands.
using VariableUses = std::unordered_map<std::uint32_t, std::vector<VariableUse>>;

/// How a sentence names something that the document names; cut where it is long.
[[nodiscard]] std::string quoted(std::string_view name);

/// Says of each name that is there more than once all its places.
void refuse_repeated_names(const std::vector<Name>& names, const std::string& what, Violations& violations);

/// True when fragments, taken in, keep selection sets within `max_document_nesting` levels; says where not.
/// All other rules rely on it.
[[nodiscard]] bool check_nesting(const Subject& subject);

/// Fields, arguments, directives and values of operations and fragments, one by one. Returns what variables
/// are used for.
[[nodiscard]] VariableUses check_selections(const Subject& subject);

/// Definition, use and type of variables.
void check_variables(const Subject& subject, const VariableUses& uses);

/// Names and use of fragments, cycles among them. True when there are no cycles.
[[nodiscard]] bool check_fragments(const Subject& subject);

/// Lists of introspection inside one another.
void check_introspection_depth(const Subject& subject);

/// Fields under the same key have to be the same field. Needs fragments without cycles.
void check_merging(const Subject& subject);

/// All spreads in a selection set and below, those of a set before those of the sets inside it.
[[nodiscard]] std::vector<const Selection*> spreads_in(const SelectionSet& set);

}  // namespace data_import::graphql
