// The checks of a request that need no database, in the order in which they are made. Each throws the Problem
// that it finds.
#pragma once

#include <string_view>
#include <vector>

#include "service/http/endpoint.h"
#include "service/http/query.h"
#include "service/http/router.h"

namespace data_import::http {

/// Finds the endpoint of a line of a bulk request. Throws Problem unless the endpoint is an import that may
/// be retried. Refuses payment instructions, too, because they wait for a vendor.
[[nodiscard]] Route find_line_endpoint(const std::vector<Endpoint>& endpoints, const Request& line);

/// Refuses a line with the parameter `dry_run`: only the whole bulk request can be a dry run.
void check_line_query(const SentQuery& query);

/// Checks size, media type and coding of the body, and that all of it arrived. nginx checks these, too, but
/// programs other than nginx may send requests to the worker's socket.
void check_transport(const Request& request, const Endpoint& endpoint);

/// Checks that the endpoint takes the Idempotency-Key, if one was sent. Comes after the check of the token,
/// because only clients with a valid token are told how the service is used.
void check_key_allowed(const Context& context, const Endpoint& endpoint);

/// Parses the body into `document` of the context, if the endpoint takes JSON. Does nothing if the body was
/// parsed before. Throws Problem.
void read_document(Context& context, const Endpoint& endpoint);
/// Checks the query, and then the body. Fills in `query` and `document` of the context. A document that was
/// read before is not read again.
void check_payload(Context& context, const Endpoint& endpoint, const SentQuery& query,
                   schema::UnknownFields unknown_fields);

/// Checks that the supplier is in the token's scope. A scope has only suppliers that exist, so an unknown
/// supplier and one of another organisation are refused alike.
void check_supplier(const Context& context, const Endpoint& endpoint);

}  // namespace data_import::http
