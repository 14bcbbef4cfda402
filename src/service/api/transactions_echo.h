// Writes transactions as answers show them: the results of a request, and the failing transaction of a
// refused one (contract, section 5.4).
#pragma once

#include "data/json/writer.h"
#include "data/store/transactions.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// Writes an item of `results` for a transaction of a valid payload. An added transaction is written as sent,
/// with `amount` as a decimal string, the date as stored, and the description if there is one. A transaction
/// that existed is written as stored, with `differs` if its stored content differs from the sent one
/// (contract, section 5.4). Returns whether it wrote `differs`.
bool write_result(json::Writer& writer, const json::Value& sent, const store::ImportedTransaction& imported);

/// Writes `status`, `error_detail` and `transaction_data` if a violation points into a transaction. The first
/// transaction with a violation is then shown exactly as sent. Otherwise writes nothing. The payload may be
/// any JSON.
void write_failing_transaction(json::Writer& writer, const http::Context& context,
                               const http::Problem& problem);

}  // namespace data_import::api
