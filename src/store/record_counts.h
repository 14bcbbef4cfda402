// The kinds of records that accounts have, and how many of each there are.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "database/database.h"
#include "store/account_name.h"

namespace data_import::store {

/// Where records of one kind are.
struct RecordTable {
    std::string_view name;   ///< of the kind, as counts and receipts call it: `notes`
    std::string_view table;  ///< with account_key and provenance; one row for each record
    std::span<const std::string_view> sums = {};  ///< further figures of its receipts (extensions, section 4)
    bool has_quantities = false;                  ///< and one for each unit: `quantity_prefix` and the unit
};

inline constexpr std::string_view quantity_prefix = "quantity:";

/// All kinds, always in the same order.
[[nodiscard]] std::span<const RecordTable> record_tables();

/// Kind and count, every kind, in the order of `record_tables`.
using RecordCounts = std::vector<std::pair<std::string_view, std::int64_t>>;

[[nodiscard]] RecordCounts count_records_of_account(database::Database& database, const AccountName& account,
                                                    database::Deadline deadline);

}  // namespace data_import::store
