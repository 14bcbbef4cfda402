// Finds the records that a request has stored, by its id.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/store/accounts.h"

namespace data_import::store {

/// Records of one kind that a request stored.
struct StoredRecords {
    std::string kind;                    ///< notes, transactions, ..., market_participants, price_sheets
    std::optional<AccountName> account;  ///< nothing if records of this kind belong to none
    std::string api_key_id;
    std::string imported_at;   ///< RFC 3339
    std::int64_t records = 0;  ///< number of those that are still as it stored them
};

/// The most accounts of each kind.
inline constexpr int max_accounts_of_request = 1000;

/// Looks through all records: an index that leads to them by request would slow down each import. Only those
/// of one account are found at once, by its key. `looking` gets the name of each kind before it is looked
/// through; no kind may take longer than 30 minutes.
[[nodiscard]] std::vector<StoredRecords> find_records_of_request(
    database::Database& database, const std::string& request_id, const std::optional<AccountName>& account,
    const std::function<void(std::string_view kind)>& looking, database::Deadline deadline);

}  // namespace data_import::store
