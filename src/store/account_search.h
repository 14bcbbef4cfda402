// The accounts that have a number as external or as service account number.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
#include "store/account_name.h"

namespace data_import::store {

/// The accounts with this external account number, of all suppliers, by supplier; behind them the account
/// with this service account number.
[[nodiscard]] std::vector<AccountName> find_accounts_of_number(database::Database& database,
                                                               std::string_view number,
                                                               database::Deadline deadline);

}  // namespace data_import::store
