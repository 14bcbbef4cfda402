// From literals and JSON to values of a type (specification of October 2021, sections 3.5 to 3.12 and 6.1.2).
// Private to the folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "graphql/document.h"
#include "graphql/schema.h"
#include "graphql/value.h"
#include "json/value.h"

namespace data_import::graphql {

/// The values of an operation's variables; one that was not given and has no default is not among them.
using Variables = std::vector<Member>;

/// True when a literal that is neither null nor a variable is a value of this scalar or enum.
[[nodiscard]] bool fits_leaf(const Literal& literal, const Type& leaf);

/// A literal as a value of a type, which validation has found it to be. Throws LocatedError for a variable
/// that is null, or was not given, where that is not allowed; elsewhere one that was not given counts as
/// null.
[[nodiscard]] Value coerce_literal(const Literal& literal, TypeView type, const Variables& variables);

/// The same for the arguments of a field or directive, or the fields of an input object, as an object. One
/// that was not given, or as a variable that was not given, has its default value, or is not there.
/// `offset` is where they stand.
[[nodiscard]] Value coerce_inputs(const std::vector<InputValue>& inputs,
                                  const std::vector<NamedLiteral>& given, const Variables& variables,
                                  std::uint32_t offset);

/// The values of an operation's variables from the request's JSON object `variables`, if it has one. Throws
/// LocatedError for the first that does not fit; the sentence names the place inside the value.
[[nodiscard]] Variables coerce_variables(const Schema& schema, const Operation& operation,
                                         const std::optional<json::Value>& given);

}  // namespace data_import::graphql
