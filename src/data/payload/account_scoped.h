// The names of suppliers and accounts, and the part that all payloads share which import into one account
// (contract, section 4.1).
#pragma once

#include "data/schema/schema.h"

namespace data_import::payload {

/// Code of an import supplier.
[[nodiscard]] schema::Schema supplier_code();
/// An account's number in the supplier's system.
[[nodiscard]] schema::Schema external_account_number();
/// An account's number on the platform.
[[nodiscard]] schema::Schema service_account_number();

/// The two fields that every such payload has; each adds its own.
[[nodiscard]] schema::Object account_scoped();

}  // namespace data_import::payload
