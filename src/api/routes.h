// The one explicit list of all endpoints.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "http/endpoint.h"

namespace data_import::api {

/// What endpoints take from the installation.
struct Options {
    std::chrono::seconds listing_timeout{600};
    /// Throws when something beside the database is missing that requests need, such as signing keys.
    std::function<void()> check_installation;
};

[[nodiscard]] std::vector<http::Endpoint> endpoints(const Options& options);

}  // namespace data_import::api
