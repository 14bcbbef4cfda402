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
    std::string kind;  ///< notes, transactions, ..., market_participants, price_sheets
    /// The account of the records; nothing for market_participants and price_sheets, which belong to no
    /// account.
    std::optional<AccountName> account;
    std::string api_key_id;
    std::string imported_at;   ///< RFC 3339
    std::int64_t records = 0;  ///< number of records that the request stored and that still exist
};

/// The most accounts that are found for each kind.
inline constexpr int max_accounts_of_request = 1000;

/// Finds the records that a request stored. With `account`, the search is quick, because it reads only the
/// records of this account, by its key. Without `account`, the search is slow, because it reads all records.
/// Calls `looking` with the name of each kind before it reads the records of the kind. Throws if reading a
/// kind takes longer than 30 minutes.
///
/// There is no index by request, because it would slow down every import.
[[nodiscard]] std::vector<StoredRecords> find_records_of_request(
    database::Database& database, const std::string& request_id, const std::optional<AccountName>& account,
    const std::function<void(std::string_view kind)>& looking, database::Deadline deadline);

}  // namespace data_import::store
