// Whether a document makes sense for a schema (specification of October 2021, section 5). Private to the
// folder.
#pragma once

#include <string_view>
#include <vector>

#include "graphql/document.h"
#include "graphql/error.h"
#include "graphql/type_system.h"

namespace data_import::graphql {

/// All violations of all rules, in the order of the document; none for a document that can be executed. At
/// most `max_errors` and one more that says so.
///
/// Two rules are this service's own and keep the cost of execution in bounds: nesting with fragments taken in
/// (`max_document_nesting`), and lists of introspection inside one another (at most two, as the reference
/// implementation has it).
[[nodiscard]] std::vector<Error> validate(const TypeSystem& types, const Document& document,
                                          std::string_view text);

}  // namespace data_import::graphql
