// The ways to take imports back, reset and erasure of accounts, and the hold that forbids both
// (sql/0022-account-removal.sql).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "database/database.h"
#include "store/account_name.h"

namespace data_import::store {

/// The time of an action on an account, and its author.
struct AccountMark {
    std::string at;  ///< RFC 3339
    std::string author;
};

/// An action on an account beside the steps of its life.
struct AccountAction {
    std::string action;  ///< reset, held, released, erased
    std::string at;      ///< RFC 3339
    std::string author;
    std::optional<std::string> records;  ///< how many a reset took out
};

inline constexpr int max_account_actions = 100;

// The changes throw Refused with the SQLSTATEs DI003, DI004, DI007 and DI008. `author` is the system user who
// stands in the account's history.

/// Removes all records that were imported into the account; returns how many.
std::int64_t reset_account(database::Database& database, const AccountName& account,
                           const std::string& author, database::Deadline deadline);
/// True when anything changed.
bool hold_account(database::Database& database, const AccountName& account, bool is_held,
                  const std::string& author, database::Deadline deadline);
/// False: it was erased already.
bool erase_account(database::Database& database, const AccountName& account, const std::string& author,
                   database::Deadline deadline);

/// Nothing unless it is on hold.
[[nodiscard]] std::optional<AccountMark> find_hold(database::Database& database, const AccountName& account,
                                                   database::Deadline deadline);
/// Nothing unless it was erased and is not known again.
[[nodiscard]] std::optional<AccountMark> find_erasure(database::Database& database,
                                                      const AccountName& account,
                                                      database::Deadline deadline);
/// The last `max_account_actions`, the first of them first.
[[nodiscard]] std::vector<AccountAction> list_account_actions(database::Database& database,
                                                              const AccountName& account,
                                                              database::Deadline deadline);

}  // namespace data_import::store
