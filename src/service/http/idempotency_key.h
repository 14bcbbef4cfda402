// The Idempotency-Key header (contract, section 9.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/http/endpoint.h"
#include "service/http/request.h"

namespace data_import::http {

/// Returns whether the endpoint takes the header Idempotency-Key, so that a request is carried out once under
/// its key. True for endpoints that store something for an organisation, except bulk requests, which refuse
/// the header. All other endpoints ignore it; a PUT may be retried without a key.
[[nodiscard]] bool takes_idempotency_key(const Endpoint& endpoint);

/// Returns the key in the value of an Idempotency-Key header. The value is a structured-field string ("...",
/// with \" and \\) or the bare key. A key has 1 to 255 printable ASCII characters, not only blanks; a bare
/// key has no blanks. Throws a validation_error with attr `Idempotency-Key` whose detail names the cause.
[[nodiscard]] std::string parse_idempotency_key(std::string_view header);

/// Returns a digest that is the same for the same request: SHA-256 of method, path, query and body, 32 bytes.
/// In the query, the order of the parameters, their spelling and parameters at their default do not count.
[[nodiscard]] std::string content_of(const Request& request, const std::vector<QueryParameter>& parameters);

}  // namespace data_import::http
