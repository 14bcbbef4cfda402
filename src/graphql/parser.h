// From text to a document (specification of October 2021, section 2 and the grammar of its appendix B).
// Private to the folder.
#pragma once

#include <string_view>

#include "graphql/document.h"
#include "graphql/schema.h"

namespace data_import::graphql {

/// Reads an executable document; a description may stand before a definition, as later editions of the
/// language have it. Throws LocatedError at the first token that cannot stand where it stands, where the text
/// is no UTF-8, for a text above the limits of graphql/execute.h, and for definitions of types, which are not
/// read.
[[nodiscard]] Document parse(std::string_view text);

/// Reads one value without variables, such as `{a: [1]}`. Throws LocatedError.
[[nodiscard]] Literal parse_constant(std::string_view text);

/// Reads a type, such as `[Int!]!`. Throws LocatedError.
[[nodiscard]] TypeReference parse_type(std::string_view text);

}  // namespace data_import::graphql
