// Declares the names of suppliers and accounts, and the fields that all payloads for one account share
// (contract, section 4.1).
#pragma once

#include "data/schema/schema.h"

namespace data_import::payload {

/// Declares the code of an import supplier.
[[nodiscard]] schema::Schema supplier_code();
/// Declares an account's number in the supplier's system.
[[nodiscard]] schema::Schema external_account_number();
/// Declares the number that the platform has given to an account.
[[nodiscard]] schema::Schema service_account_number();

/// Declares the two fields that every payload for one account has: `import_supplier` and
/// `external_account_number`. Each payload adds its own fields.
[[nodiscard]] schema::Object account_scoped();

}  // namespace data_import::payload
