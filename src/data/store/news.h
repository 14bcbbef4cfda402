// Takes a consumer's news by the functions of the schema platform: accounts and market participants with new
// records.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

struct TakenAccount {
    std::string import_supplier;
    std::string external_account_number;
    std::optional<std::string> service_account_number = {};
    /// A time in PostgreSQL's form. Records of the account are new if they were stored then or later.
    std::string since;
    std::string event;  ///< `imported`, `reset` or `erased`
};
struct TakenParticipant {
    std::string code;
    std::string since;
};

/// A new record. The string views are valid only during the callback of read_new_records().
struct NewRecord {
    std::string_view kind;
    std::string_view record_id;
    std::string imported_at;     ///< RFC 3339
    std::string_view canonical;  ///< the record as JSON in the canonical form (contract, section 12.5)
};

// The next functions have to be called in one transaction: its commit takes the news that they returned.

[[nodiscard]] std::vector<TakenAccount> take_accounts(database::Database& database,
                                                      const std::string& consumer, std::size_t most,
                                                      database::Deadline deadline);
/// Calls `each` with the new records, account by account. `place` is the place of the record's account in
/// `accounts`.
void read_new_records(database::Database& database, std::span<const TakenAccount> accounts,
                      const std::function<void(std::size_t place, const NewRecord&)>& each,
                      database::Deadline deadline);

[[nodiscard]] std::vector<TakenParticipant> take_market_participants(database::Database& database,
                                                                     const std::string& consumer,
                                                                     std::size_t most,
                                                                     database::Deadline deadline);
/// Calls `each` with the new records of these market participants: the participants themselves, and their
/// price sheets.
void read_new_records(database::Database& database, std::span<const TakenParticipant> participants,
                      const std::function<void(const NewRecord&)>& each, database::Deadline deadline);

}  // namespace data_import::store
