// Endpoints outside of the public interface. Their paths begin with `local:`. No client can ask for them,
// because the path of a client's request begins with a slash. nginx itself asks for them, for example when a
// request comes to its local listener. They are neither in the list of routes.h nor in the OpenAPI document.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "data/keys/key_ring.h"
#include "service/auth/authenticator.h"
#include "service/http/endpoint.h"
#include "service/metrics/board.h"

namespace data_import::api {

/// The path at which nginx asks whether a long body may come, before it reads the body: the REQUEST_URI of
/// nginx/long-bodies.conf.
inline constexpr std::string_view admission_path = "local:admission";

/// Makes the endpoint of `admission_path`. The endpoint answers 204 if the body may come, and 401 if the
/// token is not valid. It answers 403 if the organisation is beyond its share of the pool that the query
/// names (`bulk` or `vendor`). A 401 has its JSON in a header, and no body. The authenticator has to outlive
/// the endpoint.
///
/// If the check fails, for example without a database, the answer is 204, because the worker that gets the
/// request checks again.
[[nodiscard]] http::Endpoint admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder);

/// The path of GET /metrics (contract, section 13.5): the REQUEST_URI of nginx/metrics.conf.
inline constexpr std::string_view metrics_path = "local:metrics";

struct MetricsSource {
    const metrics::Board& board;  ///< the counters of all processes; has to outlive the endpoint
    metrics::Recorder recorder;   ///< counts the time-outs of queries that read statistics
    /// Reads the signing keys. Throws keys::KeyRingError if there are none.
    std::function<keys::KeyRing()> load_keys;
    /// The endpoints whose counters are shown, in the order of the counters. The list is used only until
    /// metrics() returns.
    const std::vector<http::Endpoint>& endpoints;
};

[[nodiscard]] http::Endpoint metrics(const MetricsSource& source);

/// Returns the endpoints of the operators' page of a migration. Each path is `local:`, followed by the path
/// at nginx's local listener. `see_records` tells whether operators may look at records of accounts, which
/// are personal data. These endpoints store nothing, except that the audit history records who looked at
/// records. Their answers may change with the page, because only the page uses them.
[[nodiscard]] std::vector<http::Endpoint> operator_endpoints(bool see_records);

/// Returns the endpoints of the operators' page that carry out acts (service/api/act.h), and those that show
/// the person's rights, the audit history and the API keys. `most_in_a_minute` is the number of acts that one
/// person may do within a minute. Only the pool `operator` has these endpoints, because only its database
/// role has the rights for acts.
[[nodiscard]] std::vector<http::Endpoint> acting_endpoints(std::size_t most_in_a_minute);

/// Makes a GET endpoint for operators. It answers by `plan` and `reply`, or by `run`
/// (service/http/endpoint.h).
[[nodiscard]] http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Plan plan,
                                           http::ReplyOf reply, std::vector<http::QueryParameter> query = {});
[[nodiscard]] http::Endpoint for_operators(std::string_view path, std::string_view summary, http::Run run,
                                           std::vector<http::QueryParameter> query = {});

// Each of these functions makes one endpoint. Endpoints of one subject share a file.

http::Endpoint operator_suppliers();               // all suppliers with their progress
http::Endpoint operator_supplier();                // one supplier with its progress
http::Endpoint operator_throughput();              // records stored over time
http::Endpoint operator_throughput_by_supplier();  // records stored of each supplier, in the last hour
http::Endpoint operator_refusals();                // refusals over time, and by kind
http::Endpoint operator_refusal_examples();        // accounts whose requests were refused
http::Endpoint operator_control_totals();          // control totals of a supplier; in api/control_totals.cc
http::Endpoint operator_failed_accounts();         // the accounts that failed last
http::Endpoint operator_failure_reasons();         // reasons of failed accounts, with a count for each
http::Endpoint operator_failure_reasons_of_supplier();  // reasons of one supplier's failed accounts
http::Endpoint operator_accounts_in_progress();         // the accounts that have been in progress for longest
http::Endpoint operator_account(bool see_records);      // everything that is known about one account
http::Endpoint operator_records(bool are_shown);        // the last records of one kind of an account
http::Endpoint operator_accounts_without();    // imported accounts without notes, or without transactions
http::Endpoint operator_request();             // the reason why a request was refused
http::Endpoint operator_request_of_account();  // why a request was refused, or what it stored in an account
http::Endpoint operator_search();              // accounts by their external or platform number
http::Endpoint operator_doctor();              // the last findings of doctor
http::Endpoint operator_explanations();        // figures that differ, and the accepted differences
http::Endpoint operator_report();              // a draft of the report that is signed when a migration ends
http::Endpoint operator_vendors();             // payment vendors that do not answer
http::Endpoint operator_consumers();           // consumers with their progress
http::Endpoint operator_booked();              // figures that consumers have booked of a supplier

}  // namespace data_import::api
