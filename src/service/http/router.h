// Finds the endpoint for a method and a raw path. The path's segments are compared as sent, without decoding.
// After that, only segments that stand for a value, such as `{import_supplier}`, are decoded. So an encoded
// slash cannot move a request to another endpoint.
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

/// Finds the endpoint of a request; for HEAD, the endpoint of GET. Throws Problem: not_found, which names the
/// path of an endpoint if the request has nearly that path; method_not_allowed with the header `Allow`;
/// bad_request for a segment that cannot be decoded. Has to be cheap, because the token is not checked yet.
/// So a path that is longer than the path of any endpoint can be is refused before it is split.
[[nodiscard]] Route find_route(const std::vector<Endpoint>& endpoints, std::string_view method,
                               std::string_view path);

}  // namespace data_import::http
