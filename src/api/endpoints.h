// The endpoints that routes.cc lists: one function each, in a file of its own.
#pragma once

#include "api/routes.h"
#include "http/endpoint.h"
#include "store/accounts.h"

namespace data_import::api {

http::Endpoint notes_create();                                                 // specification 4.1
http::Endpoint delivery_note_create();                                         // specification 4.2
http::Endpoint energy_amount_create();                                         // specification 4.3
http::Endpoint transactions_create();                                          // specification 4.4
http::Endpoint historical_statements_create();                                 // specification 4.5
http::Endpoint market_participant_invoice_create();                            // specification 4.6
http::Endpoint payment_instruction_create(const Options& options);             // specification 4.7
http::Endpoint account_transfer_status();                                      // specification 4.8
http::Endpoint account_listing(store::Listed listed, const Options& options);  // specification 4.9 to 4.11
http::Endpoint failed_listing(const Options& options);                         // extensions, section 5
http::Endpoint events();                                                       // extensions, section 5
http::Endpoint account_control_totals(const Options& options);                 // extensions, section 4
http::Endpoint progress();                                                     // decisions, section 9
http::Endpoint import_suppliers();                                             // progress, at a glance
http::Endpoint throughput();                                                   // the curve behind progress
http::Endpoint refusals();                                                     // the import log's
http::Endpoint control_totals();                                               // extensions, section 4
http::Endpoint control_totals_declare();                                       // extensions, section 4
http::Endpoint market_participant_import();                                    // specification 4.12
http::Endpoint market_participant_fees_import();                               // specification 4.13
http::Endpoint token();                                                        // extensions, section 5
http::Endpoint bulk();                                                         // extensions, section 3
http::Endpoint graphql(const Options& options);                                // decisions, section 6
http::Endpoint healthz();                                                      // decisions, section 9
http::Endpoint readyz(const Options& options);                                 // decisions, section 9
http::Endpoint errors_json();                                                  // extensions, section 5
http::Endpoint openapi_json(std::vector<http::Endpoint> others);               // decisions, section 9

}  // namespace data_import::api
