// From literals and JSON to values of a type (specification of October 2021, sections 3.5 to 3.12 and 6.1.2).
// Private to the folder.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graphql/document.h"
#include "graphql/type_system.h"
#include "graphql/value.h"
#include "json/value.h"

namespace data_import::graphql {

/// The values of an operation's variables; one that was not given and has no default is not among them.
using Variables = std::vector<Member>;

/// True when a literal that is neither null nor a variable is a value of this scalar or enum.
[[nodiscard]] bool fits_leaf(const ValueNode& literal, const NamedType& leaf);

/// True for a variable that was not given and has no default.
[[nodiscard]] bool is_missing(const ValueNode& literal, const Variables& variables);

/// A literal as a value of a type. Nothing when it does not fit: a variable that is not there counts as null
/// in a list, as not given in an object, and does not fit as the value itself.
[[nodiscard]] std::optional<Value> coerce_literal(const ValueNode& literal, TypeView type,
                                                  const Variables& variables);

/// The same for a literal without variables.
[[nodiscard]] std::optional<Value> coerce_constant(const ValueNode& literal, TypeView type);

/// Told what is wrong, as a sentence that names the place inside the value.
using Complain = std::function<void(const std::string& sentence)>;

/// A value of the request's `variables` as a value of a type. Says everything that is wrong; the result is of
/// use only when nothing is. `place` begins the sentences: `$input`.
[[nodiscard]] Value coerce_json(const json::Value& json, TypeView type, const std::string& place,
                                const Complain& complain);

}  // namespace data_import::graphql
