// Accounts that have a number, whichever of the two it is.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
#include "store/account_name.h"

namespace data_import::store {

/// Of all suppliers those whose external account number it is, by supplier, and behind them the one whose
/// service account number it is.
[[nodiscard]] std::vector<AccountName> find_accounts_of_number(database::Database& database,
                                                               std::string_view number,
                                                               database::Deadline deadline);

}  // namespace data_import::store
