// Lists of a supplier's accounts, for clients and operators: all, failed, open, those that a filter finds,
// and those that miss something (sql/schema/04-accounts.sql, sql/schema/07-open-accounts.sql).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// Which accounts of a supplier a listing shows.
enum class Listed { all, pending, imported };

/// An account import process (contract, section 5.9). Views are valid during the call that gets them.
struct ListedAccount {
    std::string_view external_account_number;
    std::optional<std::string_view> service_account_number;
    std::optional<std::string_view> account_created_at;  ///< RFC 3339 in UTC
};

/// Passes the supplier's accounts on one by one, ordered by external account number (by code point), in
/// memory that does not grow with their number. PostgreSQL's log names `request`. Exceptions of `each` pass
/// through.
void list_accounts(database::Database& database, std::string_view import_supplier, Listed listed,
                   const std::function<void(const ListedAccount&)>& each, database::Deadline deadline,
                   std::string_view request);

/// An account whose last attempt has failed. Views are valid during the call that gets them.
struct FailedAccount {
    std::string_view external_account_number;
    std::optional<std::string_view> reason;  ///< nothing of one that was loaded as failed
    std::string failed_at;                   ///< RFC 3339 in UTC
    std::string_view attempts;               ///< how many were begun, a number
};

/// The same for the accounts that have failed.
void list_failed_accounts(database::Database& database, std::string_view import_supplier,
                          const std::function<void(const FailedAccount&)>& each, database::Deadline deadline,
                          std::string_view request);

/// A filter of accounts: those that are stuck, have failed or miss something. A condition that is nothing
/// does not matter.
struct AccountFilter {
    std::string import_supplier;
    std::optional<std::string> state;
    std::optional<std::string> since;          ///< RFC 3339: the state has begun since then
    std::optional<std::string> running_hours;  ///< in progress for longer than so many hours
    std::optional<std::string> without;        ///< imported, with no record of this kind of records::kinds()
};

/// Views are valid during the call that gets them.
struct AccountSummary {
    std::string_view external_account_number;
    std::string_view state;
    std::optional<std::string_view> reason;  ///< reason of a failure
    std::string since;                       ///< when the state began, RFC 3339
    std::string_view attempts;               ///< that were begun, a number
    std::vector<std::string_view> records;   ///< how many of each kind, in the order of records::kinds()
};

/// Passes the accounts on one by one, ordered by external account number (by code point), in memory that does
/// not grow with their number. Counts the records of each account at its turn, by some look-ups in indexes.
/// Exceptions of `each` pass through.
void list_accounts(database::Database& database, const AccountFilter& filter,
                   const std::function<void(const AccountSummary&)>& each, database::Deadline deadline);

/// The imported accounts of a supplier that have no records of a kind (one of records::kinds()), the first of
/// them by number (by code point), at most so many. Looks every imported account up until it has found that
/// many.
[[nodiscard]] database::Call list_accounts_without(std::string_view import_supplier, std::string_view kind,
                                                   std::size_t most);
/// How many there are. Reads all records of the kind, of all suppliers.
[[nodiscard]] database::Call count_accounts_without(std::string_view import_supplier, std::string_view kind);

/// An account that somebody has to look at: its last attempt failed, or runs for long.
struct OpenAccount {
    std::string external_account_number;
    std::string since;                  ///< RFC 3339: when its state began
    std::optional<std::string> reason;  ///< reason of a failed one
};

/// The latest failures first, or the longest attempts first.
enum class OpenState { failed, in_progress };

[[nodiscard]] database::Call list_open_accounts(std::string_view import_supplier, OpenState state,
                                                std::size_t most);
[[nodiscard]] std::vector<OpenAccount> read_open_accounts(const database::Rows& rows);

}  // namespace data_import::store
