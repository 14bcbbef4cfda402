// The short sentences of the OpenAPI document that are in no declaration. Private to openapi*.cc.
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

/// Returns the group of the document that an endpoint stands in.
[[nodiscard]] const Tag& tag_of(const http::Endpoint& endpoint);

/// A value in a path. Throws std::logic_error for an unknown name.
struct PathParameter {
    std::string_view name;
    std::string_view description;
    std::size_t max_length;
};
[[nodiscard]] const PathParameter& path_parameter(std::string_view name);

/// Returns the example of a body, of a request or of the answer of this status; empty if there is none.
[[nodiscard]] std::string_view example_of(const http::Endpoint& endpoint,
                                          const std::string& part = "request");

/// Returns the JSON of `components/securitySchemes`: how a token is sent.
[[nodiscard]] std::string_view security_schemes();

/// Returns the JSON of `security` for a needed token.
[[nodiscard]] std::string_view security_requirement();

}  // namespace data_import::openapi
