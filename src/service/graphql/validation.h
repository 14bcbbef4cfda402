// Checks that a document makes sense for a schema (specification of October 2021, section 5). Private to the
// folder.
#pragma once

#include "service/graphql/document.h"
#include "service/graphql/types.h"

namespace data_import::graphql {

/// Checks a document by the rules of the GraphQL specification, and by two rules of this service. Throws
/// LocatedError for the first violation that is found. A document that passes the check can be executed.
///
/// The two rules of this service limit the cost of execution:
/// 1. At most `max_document_nesting` selection sets stand inside each other. The sets of fragments count.
/// 2. At most two introspection fields that return lists of the schema's parts, such as `fields` and
///    `possibleTypes`, stand inside each other. GraphQL's reference implementation has the same limit.
void validate(const Schema& schema, const ExecutableDocument& document);

}  // namespace data_import::graphql
