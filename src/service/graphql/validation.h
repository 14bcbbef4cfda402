// Checks that a document makes sense for a schema (specification of October 2021, section 5). Private to the
// folder.
#pragma once

#include "service/graphql/document.h"
#include "service/graphql/types.h"

namespace data_import::graphql {

/// Throws LocatedError for the first violation that is found. A document that passes the check can be
/// executed.
///
/// Two rules that are not in the specification limit the cost of execution. One limits the nesting, fragments
/// included (`max_document_nesting`). The other allows at most two nested fields that list parts of the
/// schema, as the reference implementation does.
void validate(const Schema& schema, const ExecutableDocument& document);

}  // namespace data_import::graphql
