// Accounts as clients may see them: their status, and the listings.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "database/database.h"

namespace data_import::store {

struct AccountStatus {
    std::string state;                   ///< staged, in_progress, failed, imported
    std::string service_account_number;  ///< empty unless imported
};

[[nodiscard]] database::Call find_account_status(std::string_view import_supplier,
                                                 std::string_view external_account_number);
/// Nothing when there is no such account.
[[nodiscard]] std::optional<AccountStatus> read_account_status(const database::Rows& rows);

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

/// SQL: how many attempts were begun to create the account of the table `account` around it.
[[nodiscard]] std::string count_of_attempts();

}  // namespace data_import::store
