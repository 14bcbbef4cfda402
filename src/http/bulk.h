// Bulk requests: many requests in one, a line each (contract, section 11).
#pragma once

#include "http/endpoint.h"
#include "http/request.h"

namespace data_import::http {

struct WorkerContext;

/// Executes the lines of a body as the same requests would be executed alone, in transactions of a bounded
/// size, and answers each. Throws Problem before anything is stored, else only ClientGone.
void execute_bulk(const Context& context, WorkerContext& worker, Responder& responder);

}  // namespace data_import::http
