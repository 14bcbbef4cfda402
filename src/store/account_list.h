// Accounts as operators look for them: those that are stuck, have failed or miss something, and their
// records.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"

namespace data_import::store {

/// A filter of accounts; a condition that is nothing does not matter.
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

/// Numbers of a supplier's accounts that begin so, by their code points, at most so many.
[[nodiscard]] std::vector<std::string> account_numbers(database::Database& database,
                                                       const std::string& import_supplier,
                                                       const std::string& beginning, std::size_t most,
                                                       database::Deadline deadline);

}  // namespace data_import::store
