// How many records an account has.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "database/database.h"
#include "store/accounts.h"

namespace data_import::store {

/// Kind and count, every kind, in the order of records::kinds().
using RecordCounts = std::vector<std::pair<std::string_view, std::int64_t>>;

[[nodiscard]] RecordCounts count_records_of_account(database::Database& database, const AccountName& account,
                                                    database::Deadline deadline);

}  // namespace data_import::store
