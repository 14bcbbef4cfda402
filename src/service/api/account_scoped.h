// The common parts of all POST endpoints that import into one account (contract, section 4.1), and the common
// detail of endpoints about one account.
#pragma once

#include "data/store/import.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// The detail of a 404 of a GET about one account.
inline constexpr const char* unknown_account =
    "The account is unknown: no account with this number has been staged for this import supplier.";

/// Returns the account that the request is for. Views are valid as long as the context.
[[nodiscard]] store::ImportTarget import_target(const http::Context& context);

/// Throws the Problem for a verdict other than `done` (contract, section 2.1, steps 6 and 7), or
/// AccountLocked.
void require_done(store::ImportVerdict verdict);

/// Returns the body of the request as validated, if somebody reads it.
[[nodiscard]] http::Reply echo(const schema::Schema& payload, const http::Context& context);

}  // namespace data_import::api
