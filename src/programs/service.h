// The handler of requests in the workers of data-importd.
#pragma once

#include <vector>

#include "config/settings.h"
#include "fastcgi/pool.h"
#include "http/request.h"
#include "metrics/board.h"
#include "vendor/configuration.h"

namespace data_import::programs {

/// Makes what answers the requests of a pool. Called once in each worker process, after the fork. It does not
/// need the database to be there; it throws std::exception where a worker cannot run. `vendors`, which came
/// with the fork, lose their secrets in workers that ask no vendor.
[[nodiscard]] std::unique_ptr<http::Handler> make_handler(const config::Settings& settings,
                                                          const fastcgi::Pool& pool,
                                                          const metrics::Board& board,
                                                          std::vector<vendor::Vendor>& vendors);

}  // namespace data_import::programs
