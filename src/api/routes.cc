#include "api/routes.h"

#include "api/endpoints.h"

namespace data_import::api {

std::vector<http::Endpoint> endpoints(const Options& options) {
    return {
        notes_create(),
        account_transfer_status(),
        account_listing(store::Listed::all, options),
        account_listing(store::Listed::pending, options),
        account_listing(store::Listed::imported, options),
        healthz(),
        readyz(options),
    };
}

}  // namespace data_import::api
