// How many records of each kind there are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "store/account_name.h"
#include "store/database.h"

namespace data_import::store {

/// Kind and count, every kind, always in the same order: `notes`, `transactions`, ...
using RecordCounts = std::vector<std::pair<std::string_view, std::int64_t>>;

[[nodiscard]] RecordCounts count_records_of_account(Database& database, const AccountName& account,
                                                    Deadline deadline);
/// Counts rows: takes about a second per million.
[[nodiscard]] RecordCounts count_records_of_supplier(Database& database, const std::string& code,
                                                     Deadline deadline);

}  // namespace data_import::store
