// GET /metrics, for the operators only (contract, section 13.5). It is no part of the public interface: nginx
// sends this path from its local listener alone, under a name that no client can ask for, and neither the
// list of endpoints nor the OpenAPI document knows it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "auth/key_ring.h"
#include "http/endpoint.h"
#include "metrics/board.h"

namespace data_import::api {

/// The REQUEST_URI of nginx/metrics.conf. Addresses of clients begin with a slash.
inline constexpr std::string_view metrics_path = "local:metrics";

struct MetricsSource {
    const metrics::Board& board;                   ///< has to outlive the endpoint
    std::function<auth::KeyRing()> load_keys;      ///< throws auth::KeyRingError where there are none
    const std::vector<http::Endpoint>& endpoints;  ///< by whose index requests are counted; copied
};

[[nodiscard]] http::Endpoint metrics(const MetricsSource& source);

}  // namespace data_import::api
