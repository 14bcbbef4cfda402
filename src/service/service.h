// Makes the handler of requests in the workers of data-importd.
#pragma once

#include <vector>

#include "base/config/settings.h"
#include "data/payment_vendors/configuration.h"
#include "service/fastcgi/pool.h"
#include "service/http/request.h"
#include "service/metrics/board.h"

namespace data_import::service {

/// Makes the handler of a pool's requests. Is called once in each worker process, after the fork. The
/// database need not be available. Throws std::exception if the worker cannot run. Unless the pool is
/// `vendor`, removes the secrets from `vendors`; other processes keep them, because each has its own copy.
[[nodiscard]] std::unique_ptr<http::Handler> make_handler(const config::Settings& settings,
                                                          const fastcgi::Pool& pool,
                                                          const metrics::Board& board,
                                                          std::vector<payment_vendors::Vendor>& vendors);

}  // namespace data_import::service
