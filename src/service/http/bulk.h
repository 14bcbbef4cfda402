// Bulk requests: many requests in one, a line each (contract, section 11). base/util/limits.h limits the
// lines and bytes of a body; sharing/shares.h says how much of the pool a bulk request may use while others
// work.
#pragma once

#include "service/http/request_run.h"

namespace data_import::http {

/// Carries out each line of the body like a single request, and answers all of them. Throws Problem before
/// anything is stored, and after that only ClientGone. One transaction takes up to 512 lines or 1 MiB if no
/// other organisation works, and less while others do (TransactionSize in bulk.cc).
void answer_lines(const Context& context, WorkerContext& worker, Responder& responder);

}  // namespace data_import::http
