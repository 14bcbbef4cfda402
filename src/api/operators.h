// The endpoints of the operators' page of a migration. Like the metrics it is no part of the public
// interface: nginx sends these paths from its local listener alone, under names that no client can ask for,
// and neither the list of endpoints nor the OpenAPI document knows them. They only read, and change with the
// page.
#pragma once

#include <vector>

#include "http/endpoint.h"

namespace data_import::api {

/// All of them. Their paths are `local:` and the path at nginx's local listener; addresses of clients begin
/// with a slash.
[[nodiscard]] std::vector<http::Endpoint> operator_endpoints();

// One function per endpoint, each kind in a file of its own.

http::Endpoint operator_suppliers();                    // all suppliers, how far each has come
http::Endpoint operator_supplier();                     // one of them
http::Endpoint operator_throughput();                   // records stored over time
http::Endpoint operator_throughput_by_supplier();       // ... of each supplier, in the last hour
http::Endpoint operator_refusals();                     // refusals over time, and by kind
http::Endpoint operator_control_totals();               // in api/control_totals.cc; clients have it, too
http::Endpoint operator_failed_accounts();              // the latest failures
http::Endpoint operator_failure_reasons();              // why accounts have failed, how many for each reason
http::Endpoint operator_failure_reasons_of_supplier();  // ... of one supplier
http::Endpoint operator_accounts_in_progress();         // the longest attempts
http::Endpoint operator_account();                      // one account with its history
http::Endpoint operator_accounts_without();    // imported ones that have no notes, or no transactions
http::Endpoint operator_request();             // why a request was refused
http::Endpoint operator_request_of_account();  // ... and the records that it stored in an account
http::Endpoint operator_search();              // accounts by either of their numbers
http::Endpoint operator_doctor();              // the last findings of doctor
http::Endpoint operator_explanations();        // accepted differences, and the figures that they explain
http::Endpoint operator_report();              // a draft of the report that is signed at the end
http::Endpoint operator_vendors();             // payment vendors that do not answer

}  // namespace data_import::api
