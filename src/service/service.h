// The handler of requests in the workers of data-importd.
#pragma once

#include <vector>

#include "base/config/settings.h"
#include "data/payment_vendors/configuration.h"
#include "service/fastcgi/pool.h"
#include "service/http/request.h"
#include "service/metrics/board.h"

namespace data_import::service {

/// Makes what answers the requests of a pool. Called once in each worker process, after the fork. It does not
/// need the database to be there; it throws std::exception where a worker cannot run. `vendors`, which came
/// with the fork, lose their secrets in workers that ask no vendor.
[[nodiscard]] std::unique_ptr<http::Handler> make_handler(const config::Settings& settings,
                                                          const fastcgi::Pool& pool,
                                                          const metrics::Board& board,
                                                          std::vector<payment_vendors::Vendor>& vendors);

}  // namespace data_import::service
