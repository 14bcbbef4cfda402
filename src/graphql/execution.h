// Executing an operation (specification of October 2021, section 6). Private to the folder.
#pragma once

#include "graphql/coercion.h"
#include "graphql/document.h"
#include "graphql/execute.h"
#include "graphql/response.h"
#include "graphql/schema.h"

namespace data_import::graphql {

/// What is executed: an operation of a document that is valid for the schema.
struct Task {
    const Schema& schema;
    const Document& document;
    const Operation& operation;
    const Variables& variables;
};

/// The answer, errors of fields included. Refuses the request, with nothing resolved, where a field that may
/// be asked for once is there more often.
[[nodiscard]] Response run(const Task& task, const Resolver& resolve, ErrorList& errors);

}  // namespace data_import::graphql
