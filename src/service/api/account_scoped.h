// The common parts of all POST endpoints that import into one account (contract, section 4.1), and the common
// 404 of endpoints about one account.
#pragma once

#include "data/store/import.h"
#include "service/http/endpoint.h"

namespace data_import::api {

/// The detail of the 404 that answers a GET about an unknown account.
inline constexpr const char* unknown_account =
    "The account is unknown: no account with this number has been staged for this import supplier.";

/// Returns the account that the request is for. Views are valid as long as the context.
[[nodiscard]] store::ImportTarget import_target(const http::Context& context);

/// Does nothing if the verdict is `done` or `repeated`. Otherwise throws the Problem for the verdict
/// (contract, section 2.1, steps 6 and 7), or AccountLocked.
void require_done(store::ImportVerdict verdict);

/// Returns a 201 with the body of the request as validated. The reply has no body if `is_success_told` of the
/// context is false.
[[nodiscard]] http::Reply echo(const schema::Schema& payload, const http::Context& context);

}  // namespace data_import::api
