// Finds the endpoint for a method and a path. The segments of the path are compared as sent. Only afterwards
// are the segments decoded that stand for a value, such as `{import_supplier}`. So an encoded slash cannot
// move a request to another endpoint.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "service/http/endpoint.h"

namespace data_import::http {

/// Returns whether a segment of an endpoint's path stands for a value, such as `{import_supplier}`.
[[nodiscard]] bool is_value(std::string_view segment);

struct Route {
    const Endpoint* endpoint;
    std::vector<std::string> segments;  ///< values of the path's `{...}`, decoded
};

/// Returns the endpoint of a request, and the values in its path. HEAD has the endpoint of GET. Throws
/// Problem `not_found`, which names the path of an endpoint if the request has nearly this path. Throws
/// `method_not_allowed` with the header `Allow`, or `bad_request` for a segment that cannot be decoded.
///
/// Throws `not_found` at once for a path that is too long for every endpoint. Such a path is not split into
/// segments: the token is not checked yet, and a request without a valid token must not cause much work.
[[nodiscard]] Route find_route(const std::vector<Endpoint>& endpoints, std::string_view method,
                               std::string_view path);

}  // namespace data_import::http
