// Lists of a supplier's accounts for clients and operators: all, failed, open, found by a filter, or without
// records of a kind (sql/schema/04-accounts.sql, sql/schema/07-open-accounts.sql).
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// The accounts that a listing shows. `pending` are all that are not imported.
enum class Listed { all, pending, imported };

/// An account in a list that suppliers read (contract, sections 5.9 to 5.11). The string views are valid only
/// during the callback of list_accounts().
struct ListedAccount {
    std::string_view external_account_number;
    std::optional<std::string_view> service_account_number;
    std::optional<std::string_view> account_created_at;  ///< RFC 3339 in UTC
};

/// Calls `each` with the supplier's accounts that `listed` selects, one by one, ordered by external account
/// number (by code point). Needs memory that does not grow with the number of accounts. `request` is the id
/// that PostgreSQL's log shows (Database::transaction). Exceptions of `each` pass through.
void list_accounts(database::Database& database, std::string_view import_supplier, Listed listed,
                   const std::function<void(const ListedAccount&)>& each, database::Deadline deadline,
                   std::string_view request);

/// An account whose last attempt has failed. The string views are valid only during the callback of
/// list_failed_accounts().
struct FailedAccount {
    std::string_view external_account_number;
    /// Reason of the failure; nothing if `account load` stored the account as failed.
    std::optional<std::string_view> reason;
    std::string failed_at;      ///< RFC 3339 in UTC
    std::string_view attempts;  ///< number of all attempts to import the account
};

/// Calls `each` with the supplier's failed accounts, one by one, ordered by external account number (by code
/// point). Needs memory that does not grow with the number of accounts. `request` is the id that PostgreSQL's
/// log shows (Database::transaction). Exceptions of `each` pass through.
void list_failed_accounts(database::Database& database, std::string_view import_supplier,
                          const std::function<void(const FailedAccount&)>& each, database::Deadline deadline,
                          std::string_view request);

/// A filter of accounts, for example of those that are stuck, have failed or lack records. All conditions
/// that are given have to hold.
struct AccountFilter {
    std::string import_supplier;
    std::optional<std::string> state;
    std::optional<std::string> since;          ///< RFC 3339: the state began at this time or later
    std::optional<std::string> running_hours;  ///< in progress for more than this number of hours
    /// Name of a kind (records::kinds()). The filter finds only imported accounts that have no records of
    /// this kind. Nothing: the filter does not look at records.
    std::optional<std::string> without;
};

/// An account in a list. The string views are valid only during the callback of list_accounts().
struct AccountSummary {
    std::string_view external_account_number;
    std::string_view state;
    std::optional<std::string_view> reason;  ///< reason of a failure
    std::string since;                       ///< RFC 3339: start of the state
    std::string_view attempts;               ///< number of all attempts to import the account
    /// The number of the account's records of each kind, as decimal digits; in the order of records::kinds().
    std::vector<std::string_view> records;
};

/// Calls `each` with the accounts that the filter finds, one by one, ordered by external account number (by
/// code point). Needs memory that does not grow with their number. Counts the records of an account just
/// before it passes the account on, by a few look-ups in indexes. Exceptions of `each` pass through.
void list_accounts(database::Database& database, const AccountFilter& filter,
                   const std::function<void(const AccountSummary&)>& each, database::Deadline deadline);

/// Lists imported accounts of a supplier that have no records of `kind`, a name of records::kinds(). The list
/// has the first `most` of these accounts, by external account number (by code point). The call reads the
/// imported accounts in this order until it has found `most`.
[[nodiscard]] database::Call list_accounts_without(std::string_view import_supplier, std::string_view kind,
                                                   std::size_t most);
/// Counts all imported accounts of the supplier that have no records of the kind. Slow, because the database
/// reads the records of this kind of all suppliers.
[[nodiscard]] database::Call count_accounts_without(std::string_view import_supplier, std::string_view kind);

/// An account that an operator may have to look at: its last attempt has failed, or has not ended yet.
struct OpenAccount {
    std::string external_account_number;
    std::string since;  ///< RFC 3339: start of its state
    /// Reason of the failure; nothing if none was given, or the attempt goes on.
    std::optional<std::string> reason;
};

/// The state of the accounts to list. `failed` lists the latest failure first; `in_progress` lists the
/// longest attempt first.
enum class OpenState { failed, in_progress };

[[nodiscard]] database::Call list_open_accounts(std::string_view import_supplier, OpenState state,
                                                std::size_t most);
[[nodiscard]] std::vector<OpenAccount> read_open_accounts(const database::Rows& rows);

}  // namespace data_import::store
