// Endpoints that are no part of the public interface: nginx sends their paths from its local listener alone,
// or asks them itself, under names that no client can ask for (addresses of clients begin with a slash), and
// neither the list of endpoints nor the OpenAPI document knows them.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "data/keys/key_ring.h"
#include "service/auth/authenticator.h"
#include "service/http/endpoint.h"
#include "service/metrics/board.h"

namespace data_import::api {

/// The question whether a long body may come, which nginx asks before it reads the body: the REQUEST_URI of
/// nginx/long-bodies.conf.
inline constexpr std::string_view admission_path = "local:admission";

/// Answers 204; 401 where the token is not valid, with the body of that answer in a header; 403 where the
/// organisation is beyond its share of the pool `bulk`. A request that cannot be judged at present is
/// admitted: its own worker checks again. The authenticator has to outlive the endpoint.
[[nodiscard]] http::Endpoint admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder);

/// GET /metrics (contract, section 13.5): the REQUEST_URI of nginx/metrics.conf.
inline constexpr std::string_view metrics_path = "local:metrics";

struct MetricsSource {
    const metrics::Board& board;                   ///< has to outlive the endpoint
    metrics::Recorder recorder;                    ///< counts statistics that take too long
    std::function<keys::KeyRing()> load_keys;      ///< throws keys::KeyRingError where there are none
    const std::vector<http::Endpoint>& endpoints;  ///< by whose index requests are counted; copied
};

[[nodiscard]] http::Endpoint metrics(const MetricsSource& source);

/// The endpoints of the operators' page of a migration: `local:` and the path at nginx's local listener. They
/// store nothing but looks at records in the audit history, and change with the page.
/// `see_records`: whether operators may look at records of accounts, which are personal data.
[[nodiscard]] std::vector<http::Endpoint> operator_endpoints(bool see_records);

/// One of them, of its `plan` and `reply`, or of its `run`.
[[nodiscard]] http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Plan plan,
                                           http::ReplyOf reply, std::vector<http::QueryParameter> query = {});
[[nodiscard]] http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Run run,
                                           std::vector<http::QueryParameter> query = {});

// One function per endpoint, each kind in a file of its own.

http::Endpoint operator_suppliers();                    // all suppliers, how far each has come
http::Endpoint operator_supplier();                     // one of them
http::Endpoint operator_throughput();                   // records stored over time
http::Endpoint operator_throughput_by_supplier();       // ... of each supplier, in the last hour
http::Endpoint operator_refusals();                     // refusals over time, and by kind
http::Endpoint operator_refusal_examples();             // accounts that were refused
http::Endpoint operator_control_totals();               // in api/control_totals.cc; clients have it, too
http::Endpoint operator_failed_accounts();              // the latest failures
http::Endpoint operator_failure_reasons();              // why accounts have failed, how many for each reason
http::Endpoint operator_failure_reasons_of_supplier();  // ... of one supplier
http::Endpoint operator_accounts_in_progress();         // the longest attempts
http::Endpoint operator_account(bool see_records);      // one account with its history
http::Endpoint operator_records(bool are_shown);        // its last records of a kind
http::Endpoint operator_accounts_without();    // imported ones that have no notes, or no transactions
http::Endpoint operator_request();             // why a request was refused
http::Endpoint operator_request_of_account();  // ... and the records that it stored in an account
http::Endpoint operator_search();              // accounts by either of their numbers
http::Endpoint operator_doctor();              // the last findings of doctor
http::Endpoint operator_explanations();        // accepted differences, and the figures that they explain
http::Endpoint operator_report();              // a draft of the report that is signed at the end
http::Endpoint operator_vendors();             // payment vendors that do not answer
http::Endpoint operator_consumers();           // programs of the platform that take what is new
http::Endpoint operator_booked();              // ... and what they have booked of a supplier

}  // namespace data_import::api
