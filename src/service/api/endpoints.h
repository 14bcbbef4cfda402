// The endpoints that routes.cc lists. Each is made by one function; related ones share a file. The note after
// a function names the section of the contract (nginx/docs/contract.md) that describes its endpoint.
#pragma once

#include "data/store/account_list.h"
#include "service/api/routes.h"
#include "service/http/endpoint.h"

namespace data_import::api {

http::Endpoint notes_create();                                      // contract, section 5.1
http::Endpoint delivery_note_create();                              // contract, section 5.2
http::Endpoint energy_amount_create();                              // contract, section 5.3
http::Endpoint transactions_create();                               // contract, section 5.4
http::Endpoint historical_statements_create();                      // contract, section 5.5
http::Endpoint market_participant_invoice_create();                 // contract, section 5.6
http::Endpoint payment_instruction_create(const Options& options);  // contract, section 5.7
http::Endpoint account_transfer_status();                           // contract, section 5.8
// One of the three listings: contract, sections 5.9 to 5.11.
http::Endpoint account_listing(store::Listed listed, const Options& options);
http::Endpoint failed_listing(const Options& options);            // contract, section 13.2
http::Endpoint events();                                          // contract, section 13.4
http::Endpoint account_control_totals(const Options& options);    // contract, section 12.4
http::Endpoint progress();                                        // contract, section 13.1
http::Endpoint import_suppliers();                                // contract, section 13.6
http::Endpoint throughput();                                      // contract, section 13.7
http::Endpoint refusals();                                        // contract, section 13.8
http::Endpoint control_totals();                                  // contract, section 12.2
http::Endpoint control_totals_declare();                          // contract, section 12.3
http::Endpoint market_participant_import();                       // contract, section 5.12
http::Endpoint market_participant_fees_import();                  // contract, section 5.13
http::Endpoint token(const Options& options);                     // contract, section 13.3
http::Endpoint bulk();                                            // contract, section 11
http::Endpoint graphql(const Options& options);                   // contract, section 6.1
http::Endpoint healthz();                                         // contract, section 13.5
http::Endpoint readyz(const Options& options);                    // contract, section 13.5
http::Endpoint errors_json();                                     // contract, section 13.5
http::Endpoint openapi_json(std::vector<http::Endpoint> others);  // contract, section 13.5

}  // namespace data_import::api
