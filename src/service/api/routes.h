// The explicit list of all public endpoints, and the settings that they need.
#pragma once

#include <chrono>
#include <functional>
#include <vector>

#include "data/keys/token.h"
#include "data/payment_vendors/configuration.h"
#include "data/store/payment_instructions.h"
#include "service/http/endpoint.h"
#include "service/metrics/board.h"

namespace data_import::api {

/// The settings for the verification of payment instructions.
struct PaymentVendors {
    std::vector<std::string> codes = {};  ///< all vendors' codes; the same in every worker
    /// The vendors with their settings; empty in workers that send no requests to vendors.
    std::vector<payment_vendors::Vendor> vendors = {};
    std::size_t max_answer_bytes = 0;
    store::VendorCircuit circuit = {};
    /// Called with the outcome of each request to a vendor, and with the reason for each request that was not
    /// sent.
    std::function<void(metrics::VendorOutcome)> count = [](metrics::VendorOutcome) {};
    /// Has to be called before each request to a vendor; the result has to live as long as the request.
    /// Returns nothing if no more requests may wait for the vendor at the same time.
    std::function<std::optional<sharing::Asking>(std::string_view vendor)> begin_asking =
        [](std::string_view) { return std::make_optional<sharing::Asking>(); };
};

/// The installation's settings for endpoints. With default values, endpoints can be listed and documented,
/// but not called.
struct Options {
    std::chrono::seconds listing_timeout{};
    /// Checks the installation. Throws if something that requests need is missing, such as signing keys. Does
    /// not look at the database.
    std::function<void()> check_installation = {};
    PaymentVendors payment = {};
    keys::IssuerOptions tokens = {};
    /// The most token requests of one address block that are refused in a minute; the next ones are
    /// throttled.
    std::size_t max_refused_token_requests = 0;
    std::size_t max_graphql_bytes = 0;
};

[[nodiscard]] std::vector<http::Endpoint> endpoints(const Options& options);

}  // namespace data_import::api
