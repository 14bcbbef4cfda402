// Endpoints outside of the public interface. nginx sends their paths only from its local listener, or asks
// them itself, under names that no client can ask for (addresses of clients begin with a slash). The list of
// endpoints and the OpenAPI document do not have them.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "data/keys/key_ring.h"
#include "service/auth/authenticator.h"
#include "service/http/endpoint.h"
#include "service/metrics/board.h"

namespace data_import::api {

/// The question whether a long body may come. nginx asks it before it reads the body: the REQUEST_URI of
/// nginx/long-bodies.conf.
inline constexpr std::string_view admission_path = "local:admission";

/// Answers 204; 401 if the token is not valid, with the body of that answer in a header; 403 if the
/// organisation is beyond its share of the pool `bulk`. A request that cannot be judged at present is
/// admitted: its own worker checks again. The authenticator has to outlive the endpoint.
[[nodiscard]] http::Endpoint admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder);

/// GET /metrics (contract, section 13.5): the REQUEST_URI of nginx/metrics.conf.
inline constexpr std::string_view metrics_path = "local:metrics";

struct MetricsSource {
    const metrics::Board& board;                   ///< has to outlive the endpoint
    metrics::Recorder recorder;                    ///< counts statistics that take too long
    std::function<keys::KeyRing()> load_keys;      ///< throws keys::KeyRingError if there are none
    const std::vector<http::Endpoint>& endpoints;  ///< requests are counted by the index in it; copied
};

[[nodiscard]] http::Endpoint metrics(const MetricsSource& source);

/// Returns the endpoints of the operators' page of a migration: `local:` and the path at nginx's local
/// listener. They store only looks at records, in the audit history, and change with the page. `see_records`:
/// operators may look at records of accounts, which are personal data.
[[nodiscard]] std::vector<http::Endpoint> operator_endpoints(bool see_records);

/// Makes one of them from its `plan` and `reply`, or from its `run`.
[[nodiscard]] http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Plan plan,
                                           http::ReplyOf reply, std::vector<http::QueryParameter> query = {});
[[nodiscard]] http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Run run,
                                           std::vector<http::QueryParameter> query = {});

// One function per endpoint, each kind in a file of its own.

http::Endpoint operator_suppliers();                    // all suppliers with their progress
http::Endpoint operator_supplier();                     // one of them
http::Endpoint operator_throughput();                   // records stored over time
http::Endpoint operator_throughput_by_supplier();       // ... of each supplier, in the last hour
http::Endpoint operator_refusals();                     // refusals over time, and by kind
http::Endpoint operator_refusal_examples();             // refused accounts
http::Endpoint operator_control_totals();               // in api/control_totals.cc; clients have it, too
http::Endpoint operator_failed_accounts();              // the latest failures
http::Endpoint operator_failure_reasons();              // reasons of failed accounts, with their numbers
http::Endpoint operator_failure_reasons_of_supplier();  // ... of one supplier
http::Endpoint operator_accounts_in_progress();         // the longest attempts
http::Endpoint operator_account(bool see_records);      // one account with its history
http::Endpoint operator_records(bool are_shown);        // its last records of a kind
http::Endpoint operator_accounts_without();    // imported accounts without notes, or without transactions
http::Endpoint operator_request();             // the reason why a request was refused
http::Endpoint operator_request_of_account();  // ... and the records that it stored in an account
http::Endpoint operator_search();              // accounts by either of their numbers
http::Endpoint operator_doctor();              // the last findings of doctor
http::Endpoint operator_explanations();        // accepted differences, and the figures that they explain
http::Endpoint operator_report();              // a draft of the report that is signed at the end
http::Endpoint operator_vendors();             // payment vendors that do not answer
http::Endpoint operator_consumers();           // consumers with their progress
http::Endpoint operator_booked();              // ... and their bookings for a supplier

}  // namespace data_import::api
