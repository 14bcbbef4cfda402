// A GraphQL service's schema: the types that a document may use (specification of October 2021, section 3).
// Interfaces, unions, subscriptions, other scalars than String, Int and Boolean, and deprecation are not
// supported, because nothing here needs them. For an example see api/obtain_token.cc.
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "service/graphql/data.h"

namespace data_import::graphql {

struct Type;

/// One wrapper around a type. A list of them goes from the outside to the inside: `[Int!]!` is non_null,
/// list, non_null of Int.
enum class Wrap : std::uint8_t { list, non_null };

/// A view of a type such as `[Int!]!`, or of a part of it such as `Int!`. `wraps` points into the
/// TypeReference that the view was made from.
struct TypeView {
    const Type* named = nullptr;  ///< the type without its wraps; nullptr if it is unknown
    std::span<const Wrap> wraps = {};

    [[nodiscard]] bool known() const { return named != nullptr; }
    [[nodiscard]] bool is_non_null() const { return !wraps.empty() && wraps.front() == Wrap::non_null; }
    [[nodiscard]] bool is_list() const { return !wraps.empty() && wraps.front() == Wrap::list; }
    /// Removes the outermost wrap, which has to be there.
    [[nodiscard]] TypeView inner() const { return {named, wraps.subspan(1)}; }
    [[nodiscard]] TypeView nullable() const { return is_non_null() ? inner() : *this; }
    /// Returns the type as the language writes it, such as `[Int!]!`.
    [[nodiscard]] std::string text() const;
};

/// A type as it is written in a schema or document.
struct TypeReference {
    TypeReference() = default;
    /// Reads `[Int!]!`; throws std::runtime_error for a text that is no type.
    TypeReference(const char* text);

    std::string name;
    std::vector<Wrap> wraps;
    const Type* named = nullptr;  ///< the schema's type called `name`; null in a document

    [[nodiscard]] TypeView view() const { return {named, wraps}; }
};

/// An argument of a field or directive, or a field of an input object.
struct InputValue {
    std::string name;
    TypeReference type;
    std::string description = {};
    /// The default value as the language writes it, such as `"abc"` or `{a: 1}`; nothing if there is none.
    std::optional<std::string> default_literal = {};
    /// The value of `default_literal`, set by the constructor of Schema.
    std::optional<Datum> default_value = {};

    /// Returns whether a document has to give a value: the type is non-null, and there is no default.
    [[nodiscard]] bool is_required() const { return type.view().is_non_null() && !default_literal; }
};

struct Field {
    std::string name;
    TypeReference type;
    std::string description = {};
    std::vector<InputValue> arguments = {};
    /// True for a root field that a request may have only once. An operation with two response keys for this
    /// field is refused before any of it is executed. So a request can make only one attempt at obtainToken.
    bool once_per_request = false;
};

struct EnumValue {
    std::string name;
    std::string description = {};
};

enum class TypeKind : std::uint8_t { scalar, object, enumeration, input_object };

/// The scalars of the language that are supported.
enum class ScalarKind : std::uint8_t { string, integer, boolean };

struct Type {
    TypeKind kind = TypeKind::scalar;
    std::string name = {};
    std::string description = {};
    std::vector<Field> fields = {};       ///< fields of an object
    std::vector<InputValue> inputs = {};  ///< fields of an input object
    std::vector<EnumValue> values = {};   ///< values of an enum
    ScalarKind scalar = ScalarKind::string;

    [[nodiscard]] bool is_leaf() const { return kind == TypeKind::scalar || kind == TypeKind::enumeration; }
};

/// A directive of the language; every schema has it.
struct Directive {
    std::string name;
    std::string description;
    std::vector<std::string> locations;
    std::vector<InputValue> arguments = {};
};

enum class OperationKind : std::uint8_t { query, mutation, subscription };

/// An immutable, checked schema. It is slow to make and fast to use, so each process should make only one.
class Schema {
public:
    /// Makes a schema of `types`. The type `Query` is the root of queries; the type `Mutation`, if there is
    /// one, is the root of mutations. Introspection shows `types` in their order, and then the types that
    /// every schema has. Throws std::logic_error with a sentence for a schema that contradicts itself: an
    /// unknown type, a name twice, an input type as output, or a default value that is not of its type.
    explicit Schema(std::vector<Type> types, std::string description = {});
    Schema(const Schema&) = delete;
    Schema& operator=(const Schema&) = delete;

    [[nodiscard]] const std::string& description() const { return description_; }
    [[nodiscard]] const std::list<Type>& types() const { return types_; }
    [[nodiscard]] const std::vector<Directive>& directives() const { return directives_; }
    /// Returns the type with this name; nullptr if there is none.
    [[nodiscard]] const Type* find(std::string_view name) const;
    /// Returns a view of `type`, which stands in a document. TypeView::named is nullptr if this schema has no
    /// type with the name `type.name`. The view is valid as long as `type` exists.
    [[nodiscard]] TypeView view(const TypeReference& type) const { return {find(type.name), type.wraps}; }
    /// Returns the type with the root fields of this kind of operation; nullptr if the schema has none.
    [[nodiscard]] const Type* root(OperationKind kind) const;
    /// Returns the field of an object type; nullptr for a name that does not exist. Every object type also
    /// has `__typename`, and the type Query also has `__schema` and `__type`.
    [[nodiscard]] const Field* field(const Type& object, std::string_view name) const;

private:
    void link(TypeReference& reference, const std::string& place);
    void link(std::vector<InputValue>& inputs, const std::string& place);
    void link(std::vector<Field>& fields, const std::string& place);
    void read_defaults();

    std::list<Type> types_;
    std::string description_;
    std::vector<Directive> directives_;
    std::vector<Field> meta_fields_;  ///< `__schema`, `__type` and `__typename`, which no type lists
};

/// Returns the list's member that has this name; nullptr if no member has this name.
template <typename List>
[[nodiscard]] auto find_by_name(const List& list, std::string_view name) -> decltype(list.data()) {
    for (const auto& member : list) {
        if (member.name == name) return &member;
    }
    return nullptr;
}

}  // namespace data_import::graphql
