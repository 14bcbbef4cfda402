// Transactions as answers show them: results of a request, and the failing one of a refused request
// (specification 4.4; decisions, section 5).
#pragma once

#include "http/endpoint.h"
#include "json/writer.h"
#include "store/transactions.h"

namespace data_import::api {

/// An item of `results` for a transaction of a valid payload. An added one is echoed as sent, with `amount`
/// as a decimal string, the date as stored and the description where there is one; one that was there as it
/// is stored, with `differs` where that is not what was sent (extensions, section 1): then true.
bool write_result(json::Writer& writer, const json::Value& sent, const store::ImportedTransaction& imported);

/// `status`, `error_detail` and `transaction_data` where a violation points into a transaction; the first
/// such one is shown exactly as sent. Nothing otherwise. The payload may be anything.
void write_failing_transaction(json::Writer& writer, const http::Context& context,
                               const http::Problem& problem);

}  // namespace data_import::api
