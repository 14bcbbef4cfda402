// A parsed document: what stands in it, before anything is known of its meaning. Private to the folder.
//
// Views point into the text that was parsed. Offsets count its bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::graphql {

/// A name, and where it stands. Empty where a name can be left out and is.
struct Name {
    std::string_view text = {};
    std::uint32_t offset = 0;

    [[nodiscard]] bool empty() const { return text.empty(); }
};

/// What a type is wrapped into, from the outside to the inside: `[Int!]!` is non_null, list, non_null of Int.
enum class Wrap : std::uint8_t { list, non_null };

struct TypeNode {
    std::uint32_t offset = 0;
    std::vector<Wrap> wraps = {};
    Name name = {};
};

enum class ValueKind : std::uint8_t {
    null,
    boolean,
    integer,
    floating,
    string,
    enumeration,
    variable,
    list,
    object
};

struct NamedValue;

struct ValueNode {
    ValueKind kind = ValueKind::null;
    std::uint32_t offset = 0;
    std::string_view text = {};         ///< as written; of a variable its name without the dollar sign
    std::string string = {};            ///< what a string stands for
    std::vector<ValueNode> items = {};  ///< of a list
    std::vector<NamedValue> fields;     ///< of an object
};

/// An argument, or a field of an input object. It stands where its name stands.
struct NamedValue {
    Name name;
    ValueNode value;
};

struct Directive {
    std::uint32_t offset = 0;  ///< of the at sign
    Name name = {};
    std::vector<NamedValue> arguments = {};
};

struct Selection;

/// Empty where a field has none; a selection set that is written is never empty.
struct SelectionSet {
    std::uint32_t offset = 0;
    std::vector<Selection> selections;

    [[nodiscard]] bool empty() const;
};

enum class SelectionKind : std::uint8_t { field, fragment_spread, inline_fragment };

struct Selection {
    SelectionKind kind = SelectionKind::field;
    std::uint32_t offset = 0;
    Name name = {};            ///< of the field, or of the fragment that is spread
    Name alias = {};           ///< of a field
    Name type_condition = {};  ///< of an inline fragment
    std::vector<NamedValue> arguments = {};
    std::vector<Directive> directives = {};
    SelectionSet set = {};

    [[nodiscard]] std::string_view response_key() const { return alias.empty() ? name.text : alias.text; }
};

inline bool SelectionSet::empty() const {
    return selections.empty();
}

struct VariableDefinition {
    std::uint32_t offset = 0;
    Name name = {};  ///< without the dollar sign
    TypeNode type = {};
    bool has_default = false;
    ValueNode default_value = {};
    std::vector<Directive> directives = {};
};

enum class OperationKind : std::uint8_t { query, mutation, subscription };

struct Operation {
    std::uint32_t offset = 0;
    OperationKind kind = OperationKind::query;
    Name name = {};
    std::vector<VariableDefinition> variables = {};
    std::vector<Directive> directives = {};
    SelectionSet set = {};
};

struct Fragment {
    std::uint32_t offset = 0;
    Name name = {};
    Name type_condition = {};
    std::vector<Directive> directives = {};
    SelectionSet set = {};
};

struct Document {
    std::vector<Operation> operations = {};
    std::vector<Fragment> fragments = {};
    std::vector<std::uint32_t> type_system_definitions =
        {};  ///< where definitions and extensions of types stand
};

}  // namespace data_import::graphql
