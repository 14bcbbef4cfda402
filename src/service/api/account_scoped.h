// The parts that all POST endpoints share which import into one account (contract, section 4.1), and the
// detail that endpoints about one account share.
#pragma once

#include "data/store/import.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// Detail of a 404 of a GET that is about one account.
inline constexpr const char* unknown_account =
    "The account is unknown: no account with this number has been staged for this import supplier.";

/// The account that the request is for. Views are valid as long as the context.
[[nodiscard]] store::ImportTarget import_target(const http::Context& context);

/// Throws the Problem that belongs to a verdict other than `done` (contract, section 2.1, steps 6 and 7), or
/// AccountLocked.
void require_done(store::ImportVerdict verdict);

/// The body of the request, as validated, where it is read.
[[nodiscard]] http::Reply echo(const schema::Schema& payload, const http::Context& context);

}  // namespace data_import::api
