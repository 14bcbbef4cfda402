// Bulk requests: many requests in one, a line each (contract, section 11).
#pragma once

#include "service/http/request_run.h"

namespace data_import::http {

/// Carries out the lines of a body like single requests, in transactions of a bounded size, and answers each.
/// Throws Problem before anything is stored, and after that only ClientGone.
void answer_lines(const Context& context, WorkerContext& worker, Responder& responder);

}  // namespace data_import::http
