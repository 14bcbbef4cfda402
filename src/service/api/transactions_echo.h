// Writes transactions as answers show them: the results of a request, and the failing transaction of a
// refused one (contract, section 5.4).
#pragma once

#include "data/json/writer.h"
#include "data/store/transactions.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// Writes the item of `results` for one transaction of a valid payload. Returns whether the item has the
/// member `differs`. An added transaction is written as sent, with `amount` as a decimal string, the date as
/// stored, and the description if there is one. A transaction that existed is written as stored. Its item has
/// `differs` if its stored content differs from the sent one (contract, section 5.4).
bool write_result(json::Writer& writer, const json::Value& sent, const store::ImportedTransaction& imported);

/// Writes `status`, `error_detail` and `transaction_data` if a violation of `problem` is inside a transaction
/// of the payload; otherwise writes nothing. `transaction_data` is the first such transaction, exactly as
/// sent. The payload may be any JSON.
void write_failing_transaction(json::Writer& writer, const http::Context& context,
                               const http::Problem& problem);

}  // namespace data_import::api
