// Whether a document makes sense for a schema (specification of October 2021, section 5). Private to the
// folder.
#pragma once

#include "service/graphql/document.h"
#include "service/graphql/types.h"

namespace data_import::graphql {

/// Throws LocatedError for the first violation that is found; a document that passes can be executed.
///
/// Two rules are this service's own and keep the cost of execution in bounds: nesting with fragments taken in
/// (`max_document_nesting`), and lists of introspection inside one another (at most two, as the reference
/// implementation has it).
void validate(const Schema& schema, const ExecutableDocument& document);

}  // namespace data_import::graphql
