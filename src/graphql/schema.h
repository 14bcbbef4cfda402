// What a GraphQL service offers: the types that a document may use (specification of October 2021, section
// 3).
//
//     const Schema schema({
//         InputObjectType{"ObtainTokenInput", "Exactly one of the two.", {{"APIKey", "String", "As
//         created."},
//                                                                           {"refreshToken", "String", ""}}},
//         ObjectType{"ObtainTokenPayload", "", {{"token", "String!", "For Authorization."}, ...}},
//         ObjectType{"Mutation", "", {{.name = "obtainToken", .type = "ObtainTokenPayload",
//                                      .arguments = {{"input", "ObtainTokenInput!", ""}},
//                                      .once_per_request = true}}},
//         ObjectType{"Query", "", {{"apiVersion", "String!", "..."}}},
//     });
//
// Interfaces, unions and subscriptions are not supported: nothing here needs them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace data_import::graphql {

/// An argument of a field or a field of an input object.
struct InputValue {
    std::string name;
    std::string type;  ///< as the language writes it: `[String!]!`
    std::string description = {};
    std::optional<std::string> default_value = {};       ///< a literal of the language: `"abc"`, `{a: 1}`
    std::optional<std::string> deprecation_reason = {};  ///< present: deprecated
};

struct Field {
    std::string name;
    std::string type;
    std::string description = {};
    std::vector<InputValue> arguments = {};
    std::optional<std::string> deprecation_reason = {};
    /// Root fields only: an operation that has the field under more than one response key is refused as a
    /// whole, before anything is executed, so that one request is one attempt.
    bool once_per_request = false;
};

struct EnumValue {
    std::string name;
    std::string description = {};
    std::optional<std::string> deprecation_reason = {};
};

struct ObjectType {
    std::string name;
    std::string description;
    std::vector<Field> fields;
};

struct InputObjectType {
    std::string name;
    std::string description;
    std::vector<InputValue> fields;
};

struct EnumType {
    std::string name;
    std::string description;
    std::vector<EnumValue> values;
};

/// A scalar besides the five of the language. As an input it takes any value.
struct ScalarType {
    std::string name;
    std::string description;
    std::optional<std::string> specified_by_url = {};
};

using TypeDefinition = std::variant<ObjectType, InputObjectType, EnumType, ScalarType>;

class TypeSystem;  // graphql/type_system.h: private to the folder

/// An immutable, checked schema; cheap to copy. Make one per process: it is prepared for fast use.
class Schema {
public:
    /// The type named `Query` is the root of queries, the one named `Mutation`, where there is one, of
    /// mutations. Introspection shows types in this order. Throws std::logic_error with a sentence for a
    /// schema that contradicts itself: an unknown type, a name twice, an input type as output, a default
    /// value that is not of its type.
    explicit Schema(std::vector<TypeDefinition> types, std::string description = {});

    [[nodiscard]] const TypeSystem& types() const { return *types_; }

private:
    std::shared_ptr<const TypeSystem> types_;
};

}  // namespace data_import::graphql
