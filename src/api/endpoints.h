// What routes.cc lists: one function per endpoint, each in a file of its own.
#pragma once

#include "api/routes.h"
#include "http/endpoint.h"
#include "store/accounts.h"

namespace data_import::api {

http::Endpoint notes_create();                                                 // specification 4.1
http::Endpoint account_transfer_status();                                      // specification 4.8
http::Endpoint account_listing(store::Listed listed, const Options& options);  // specification 4.9 to 4.11
http::Endpoint healthz();                                                      // decisions, section 9
http::Endpoint readyz(const Options& options);                                 // decisions, section 9

}  // namespace data_import::api
