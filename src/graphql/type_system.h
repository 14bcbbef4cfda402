// A schema made ready for use: names resolved, defaults read, the types of introspection added. Private to
// the folder.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graphql/document.h"
#include "graphql/schema.h"
#include "graphql/value.h"

namespace data_import::graphql {

struct NamedType;

/// A type in the sense of the language, or a part of one: `[Int!]!` and its `Int!`. `wraps` points into what
/// the view was made of.
struct TypeView {
    const NamedType* named = nullptr;  ///< nullptr: nothing is known
    std::span<const Wrap> wraps = {};

    [[nodiscard]] bool known() const { return named != nullptr; }
    [[nodiscard]] bool is_non_null() const { return !wraps.empty() && wraps.front() == Wrap::non_null; }
    [[nodiscard]] bool is_list() const { return !wraps.empty() && wraps.front() == Wrap::list; }
    /// Without the outermost wrap, which has to be there.
    [[nodiscard]] TypeView inner() const { return {named, wraps.subspan(1)}; }
    [[nodiscard]] TypeView nullable() const { return is_non_null() ? inner() : *this; }
    /// As the language writes it.
    [[nodiscard]] std::string text() const;
};

struct TypeReference {
    const NamedType* named = nullptr;
    std::vector<Wrap> wraps = {};

    [[nodiscard]] TypeView view() const { return {named, wraps}; }
};

struct InputDefinition {
    std::string name;
    std::string description;
    TypeReference type;
    std::optional<std::string> default_literal;
    std::optional<Value> default_value;
    std::optional<std::string> deprecation_reason;

    /// True when a document has to give it.
    [[nodiscard]] bool is_required() const { return type.view().is_non_null() && !default_value; }
};

struct FieldDefinition {
    std::string name;
    std::string description;
    TypeReference type;
    std::vector<InputDefinition> arguments;
    std::optional<std::string> deprecation_reason;
    bool once_per_request = false;
};

enum class TypeKind : std::uint8_t { scalar, object, enumeration, input_object };

/// How values of a scalar are checked.
enum class ScalarKind : std::uint8_t { other, integer, floating, string, boolean, id };

struct NamedType {
    TypeKind kind = TypeKind::scalar;
    ScalarKind scalar = ScalarKind::other;
    std::string name;
    std::string description;
    std::vector<FieldDefinition> fields;  ///< of an object
    std::vector<InputDefinition> inputs;  ///< fields of an input object
    std::vector<EnumValue> values;        ///< of an enum
    std::optional<std::string> specified_by_url;

    [[nodiscard]] bool is_leaf() const { return kind == TypeKind::scalar || kind == TypeKind::enumeration; }
    [[nodiscard]] bool is_input() const { return kind != TypeKind::object; }
};

struct DirectiveDefinition {
    std::string name;
    std::string description;
    std::vector<std::string> locations;
    std::vector<InputDefinition> arguments;

    [[nodiscard]] bool may_stand_at(std::string_view location) const;
};

/// The member of a list with this name; nullptr where there is none.
template <typename Definition>
[[nodiscard]] const Definition* find_by_name(const std::vector<Definition>& list, std::string_view name) {
    for (const Definition& definition : list) {
        if (definition.name == name) return &definition;
    }
    return nullptr;
}

class TypeSystem {
public:
    /// Throws std::logic_error (graphql/schema.h).
    TypeSystem(std::vector<TypeDefinition> definitions, std::string description);
    TypeSystem(const TypeSystem&) = delete;
    TypeSystem& operator=(const TypeSystem&) = delete;

    [[nodiscard]] const std::string& description() const { return description_; }
    /// In the order in which introspection shows them.
    [[nodiscard]] const std::vector<std::unique_ptr<NamedType>>& types() const { return types_; }
    [[nodiscard]] const std::vector<DirectiveDefinition>& directives() const { return directives_; }
    /// nullptr for a name that is not there.
    [[nodiscard]] const NamedType* find(std::string_view name) const;
    /// The root of an operation; nullptr where this schema has none.
    [[nodiscard]] const NamedType* root(OperationKind kind) const;
    /// A type as a document writes it; unknown where its name is. The view is good as long as the node is.
    [[nodiscard]] TypeView view(const TypeNode& node) const { return {find(node.name.text), node.wraps}; }
    /// The field of an object type, those of introspection that every query and every object has included;
    /// nullptr for a name that is not there.
    [[nodiscard]] const FieldDefinition* field(const NamedType& object, std::string_view name) const;

private:
    void add(const TypeDefinition& definition);
    void add_used_scalars(const std::vector<TypeDefinition>& definitions);
    void add_directives();
    void resolve(const TypeDefinition& definition);
    void read_defaults();
    NamedType& named(std::string_view name) const;
    [[nodiscard]] TypeReference reference(const std::string& text, const std::string& place) const;
    [[nodiscard]] InputDefinition input(const InputValue& declared, const std::string& place) const;
    [[nodiscard]] FieldDefinition output(const Field& declared, const std::string& place) const;

    std::string description_;
    std::vector<std::unique_ptr<NamedType>> types_;
    std::vector<DirectiveDefinition> directives_;
    FieldDefinition schema_field_;
    FieldDefinition type_field_;
    FieldDefinition typename_field_;
};

/// The types of introspection (specification of October 2021, section 4.2).
[[nodiscard]] const std::vector<TypeDefinition>& introspection_types();

/// A directive that every schema has.
struct StandardDirective {
    std::string name;
    std::string description;
    std::vector<std::string> locations;
    std::vector<InputValue> arguments = {};
};

[[nodiscard]] const std::vector<StandardDirective>& standard_directives();

}  // namespace data_import::graphql
