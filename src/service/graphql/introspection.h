// Introspection: answers questions about the schema itself (specification of October 2021, section 4).
// Private to the folder.
#pragma once

#include <string_view>
#include <variant>
#include <vector>

#include "service/graphql/data.h"
#include "service/graphql/types.h"

namespace data_import::graphql {

/// Returns the types of introspection, such as `__Type`. Every schema has them.
[[nodiscard]] std::vector<Type> introspection_types();
/// Returns the directives of the language, such as `@skip`. Every schema has them.
[[nodiscard]] std::vector<Directive> standard_directives();

/// The source of an object's fields: nothing (a root type), an object that a resolver gave, or a part of the
/// schema. Pointers and views are valid as long as the schema and the resolver's value exist.
using Source = std::variant<std::monostate, const Datum*, const Schema*, TypeView, const Field*,
                            const InputValue*, const EnumValue*, const Directive*>;

/// The value of a field, before the selected sub-fields are taken from it.
using Resolved = std::variant<Datum, Source, std::vector<Source>>;

/// Returns the value of a field of an introspection type, or of the root fields `__schema` and `__type`.
[[nodiscard]] Resolved introspect(const Schema& schema, const Source& parent, std::string_view field,
                                  const Datum& arguments);

}  // namespace data_import::graphql
