// The Idempotency-Key header (contract, section 9.2).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/http/endpoint.h"
#include "service/http/request.h"

namespace data_import::http {

/// Whether requests to the endpoint are answered once under a key: those that store something for an
/// organisation. The others take no notice of the header: a PUT may be repeated as it is.
[[nodiscard]] bool takes_idempotency_key(const Endpoint& endpoint);

/// The key of a header value: a structured-field string ("...", with \" and \\) or the bare key; 1 to 255
/// printable ASCII characters, not blanks alone, and without blanks where it is bare. Throws a
/// validation_error with attr `Idempotency-Key` whose detail names the cause.
[[nodiscard]] std::string parse_idempotency_key(std::string_view header);

/// The digest by which two requests are the same request: SHA-256 of method, path, query and body, 32 bytes.
/// Of the query the meaning counts: not the order of the parameters, their spelling, nor those at their
/// default value.
[[nodiscard]] std::string content_of(const Request& request, const std::vector<QueryParameter>& parameters);

}  // namespace data_import::http
