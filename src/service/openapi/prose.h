// The short sentences of the OpenAPI document that are in no declaration. Private to the folder.
#pragma once

#include <string>
#include <string_view>

#include "service/http/endpoint.h"

namespace data_import::openapi {

struct Tag {
    std::string_view name;
    std::string_view description;
};

/// Returns the description of the header Idempotency-Key.
[[nodiscard]] std::string_view idempotency_key_description();

/// Returns the group in which the document has the endpoint.
[[nodiscard]] const Tag& tag_of(const http::Endpoint& endpoint);

/// A value in a path. path_parameter() throws std::logic_error for a name that it does not know.
struct PathParameter {
    std::string_view name;
    std::string_view description;
    std::size_t max_length;
};
[[nodiscard]] const PathParameter& path_parameter(std::string_view name);

/// Returns the example of a body from src/base/texts/examples.txt. `part` is `request`, or the status of an
/// answer, such as `201`. Returns an empty text if there is no example.
[[nodiscard]] std::string_view example_of(const http::Endpoint& endpoint,
                                          const std::string& part = "request");

/// Returns the JSON of `components/securitySchemes`: how a token is sent.
[[nodiscard]] std::string_view security_schemes();

/// Returns the JSON of the member `security` of an operation that needs a token.
[[nodiscard]] std::string_view security_requirement();

}  // namespace data_import::openapi
