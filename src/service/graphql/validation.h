// Checks that a document makes sense for a schema (specification of October 2021, section 5). Private to the
// folder.
#pragma once

#include "service/graphql/document.h"
#include "service/graphql/types.h"

namespace data_import::graphql {

/// Checks a document by the rules of the specification, and by two rules of this service that limit the cost
/// of execution. Throws LocatedError for the first violation that is found. A document that passes the check
/// can be executed.
///
/// The first of these two rules limits how many selection sets stand inside each other, those of fragments
/// included (`max_document_nesting`). The second rule is for introspection fields that return lists of the
/// schema's parts, such as `fields` and `possibleTypes`: at most two of them may stand inside each other, as
/// in the reference implementation.
void validate(const Schema& schema, const ExecutableDocument& document);

}  // namespace data_import::graphql
