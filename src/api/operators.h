// What the operators' page of a migration asks for. Like the metrics it is no part of the public interface:
// nginx sends these paths from its local listener alone, under names that no client can ask for, and neither
// the list of endpoints nor the OpenAPI document knows them. They only read, and change with the page.
#pragma once

#include <vector>

#include "http/endpoint.h"

namespace data_import::api {

/// All of them. Their paths are those of nginx's local listener behind `local:`; what a client asks for
/// begins with a slash.
[[nodiscard]] std::vector<http::Endpoint> operator_endpoints();

// One function per endpoint, each kind in a file of its own.

http::Endpoint operator_suppliers();             // all suppliers, how far each has come
http::Endpoint operator_supplier();              // one of them
http::Endpoint operator_throughput();            // what was stored when
http::Endpoint operator_refusals();              // what was refused when, and which kinds of it
http::Endpoint operator_control_totals();        // of api/control_totals.cc: what clients get, too
http::Endpoint operator_failed_accounts();       // the latest failures
http::Endpoint operator_accounts_in_progress();  // the longest attempts
http::Endpoint operator_account();               // one account with its history
http::Endpoint operator_accounts_without();      // imported ones that have no notes, or no transactions
http::Endpoint operator_request();               // why a request was refused
http::Endpoint operator_request_of_account();    // ... and what it stored in an account
http::Endpoint operator_search();                // accounts by either of their numbers
http::Endpoint operator_doctor();                // what doctor found last
http::Endpoint operator_explanations();          // accepted differences, and what they explain
http::Endpoint operator_report();                // a draft of what is signed at the end
http::Endpoint operator_vendors();               // payment vendors that do not answer

}  // namespace data_import::api
