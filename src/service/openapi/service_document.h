// The OpenAPI 3.1 document of the service. It is made from the declarations of the endpoints and the table of
// problems, which the service also uses to validate and answer.
#pragma once

#include <string>
#include <vector>

#include "service/http/endpoint.h"

namespace data_import::openapi {

/// Returns the document as JSON. Throws std::logic_error if a path has a `{value}` that prose.cc does not
/// describe.
[[nodiscard]] std::string document(const std::vector<http::Endpoint>& endpoints);

}  // namespace data_import::openapi
