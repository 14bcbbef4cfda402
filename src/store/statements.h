// Statement periods of accounts as operators open and close them, over the functions of sql/.
#pragma once

#include <string>

#include "database/database.h"
#include "store/account_name.h"

namespace data_import::store {

// Both throw Refused with the SQLSTATEs DI003 and DI004 of sql/0008-account-steps.sql: only an imported
// account has statement periods. True when anything changed.

/// Opens a period of these two days (YYYY-MM-DD) and those between them; the one that is open is closed.
bool open_statement(database::Database& database, const AccountName& account, const std::string& first_day,
                    const std::string& last_day, database::Deadline deadline);
/// Closes the open period; the account then takes no transactions.
bool close_statement(database::Database& database, const AccountName& account, database::Deadline deadline);

}  // namespace data_import::store
