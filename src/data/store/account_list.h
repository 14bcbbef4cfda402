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

/// Selects the accounts that a listing shows.
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
    std::optional<std::string_view> reason;  ///< nothing if it was loaded as failed
    std::string failed_at;                   ///< RFC 3339 in UTC
    std::string_view attempts;               ///< number of attempts begun
};

/// Does the same for the accounts that have failed.
void list_failed_accounts(database::Database& database, std::string_view import_supplier,
                          const std::function<void(const FailedAccount&)>& each, database::Deadline deadline,
                          std::string_view request);

/// A filter of accounts: those that are stuck, have failed or lack something. Conditions that are nothing are
/// ignored.
struct AccountFilter {
    std::string import_supplier;
    std::optional<std::string> state;
    std::optional<std::string> since;          ///< RFC 3339: the state began at this time or later
    std::optional<std::string> running_hours;  ///< in progress for more hours than these
    std::optional<std::string> without;  ///< imported, and without records of this kind of records::kinds()
};

/// An account in a list. Views are valid during the call that gets them.
struct AccountSummary {
    std::string_view external_account_number;
    std::string_view state;
    std::optional<std::string_view> reason;  ///< reason of a failure
    std::string since;                       ///< RFC 3339: start of the state
    std::string_view attempts;               ///< number of attempts begun
    std::vector<std::string_view> records;   ///< numbers of records, in the order of records::kinds()
};

/// Passes the accounts on one by one, ordered by external account number (by code point), in memory that does
/// not grow with their number. Counts the records of each account just before, by some look-ups in indexes.
/// Exceptions of `each` pass through.
void list_accounts(database::Database& database, const AccountFilter& filter,
                   const std::function<void(const AccountSummary&)>& each, database::Deadline deadline);

/// Lists the first imported accounts of a supplier without records of a kind (one of records::kinds()), by
/// number (by code point). Looks every imported account up until it has found so many.
[[nodiscard]] database::Call list_accounts_without(std::string_view import_supplier, std::string_view kind,
                                                   std::size_t most);
/// Counts them all. Reads all records of the kind, of all suppliers.
[[nodiscard]] database::Call count_accounts_without(std::string_view import_supplier, std::string_view kind);

/// An account that somebody has to look at: its last attempt failed, or takes long.
struct OpenAccount {
    std::string external_account_number;
    std::string since;                  ///< RFC 3339: start of its state
    std::optional<std::string> reason;  ///< of a failed account
};

/// Selects the latest failures first, or the longest attempts first.
enum class OpenState { failed, in_progress };

[[nodiscard]] database::Call list_open_accounts(std::string_view import_supplier, OpenState state,
                                                std::size_t most);
[[nodiscard]] std::vector<OpenAccount> read_open_accounts(const database::Rows& rows);

}  // namespace data_import::store
