// The OpenAPI 3.1 document of the service. It is made from the declarations of its endpoints and the table of
// problems, by which the service also validates and answers.
#pragma once

#include <string>
#include <vector>

#include "service/http/endpoint.h"

namespace data_import::openapi {

/// Returns a JSON text. Throws std::logic_error for an unknown `{value}` in a path.
[[nodiscard]] std::string document(const std::vector<http::Endpoint>& endpoints);

}  // namespace data_import::openapi
