// Makes the handler of requests in the workers of data-importd.
#pragma once

#include <vector>

#include "base/config/settings.h"
#include "data/payment_vendors/configuration.h"
#include "service/fastcgi/pool.h"
#include "service/http/request.h"
#include "service/metrics/board.h"

namespace data_import::service {

/// Returns the handler of the requests of `pool`. Throws std::exception if the worker cannot run. The
/// database need not be available. Has to be called once in each worker process, after the fork.
///
/// Removes the secrets from `vendors`, the payment vendors of the installation, unless the pool is `vendor`.
/// Other processes keep the secrets, because each process has its own copy of `vendors`.
[[nodiscard]] std::unique_ptr<http::Handler> make_handler(const config::Settings& settings,
                                                          const fastcgi::Pool& pool,
                                                          const metrics::Board& board,
                                                          std::vector<payment_vendors::Vendor>& vendors);

}  // namespace data_import::service
