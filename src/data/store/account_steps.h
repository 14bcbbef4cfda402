// The commands of operators on accounts: the steps of an account's life (contract, section 1.3), statement
// periods, and the ways to take imports back (sql/schema/23-account-removal.sql). Functions of sql/ do the
// work.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/store/accounts.h"

namespace data_import::store {

// Functions that change one account throw Refused with the SQLSTATEs of sql/schema/08-account-steps.sql. A
// result of type bool is true if anything changed. `author` is the system user who stands in the account's
// history.

/// Stages an account. Returns false if this changed nothing. If `although_erased` is true, an erased account
/// begins anew; otherwise the erased account is refused with DI007.
bool stage_account(database::Database& database, const AccountName& account, bool although_erased,
                   const std::string& author, database::Deadline deadline);
/// Begins an attempt on a staged or failed account. Returns false if this changed nothing.
bool begin_account(database::Database& database, const AccountName& account, const std::string& author,
                   database::Deadline deadline);
bool fail_account(database::Database& database, const AccountName& account, const std::string& reason,
                  const std::string& author, database::Deadline deadline);

/// Facts about an account that was created on the platform. Without a service_account_number, the service
/// makes a new number; without an account_created_at, the present time is stored.
struct Completion {
    std::optional<std::string> service_account_number;
    std::optional<std::string> account_created_at;  ///< RFC 3339
    /// YYYY-MM-DD; given only together with `statement_last_day`.
    std::optional<std::string> statement_first_day;
    std::optional<std::string> statement_last_day;
};

/// Completes an account, and returns its number on the platform (service_account_number).
std::string complete_account(database::Database& database, const AccountName& account,
                             const Completion& completion, const std::string& author,
                             database::Deadline deadline);

// Only an imported account has statement periods.

/// Opens a statement period of the account, from the first to the last day (YYYY-MM-DD), both included.
/// Closes the period that was open before. Returns false if exactly this period was open already.
bool open_statement(database::Database& database, const AccountName& account, const std::string& first_day,
                    const std::string& last_day, database::Deadline deadline);
/// Closes the open period. After that, the account takes no transactions.
bool close_statement(database::Database& database, const AccountName& account, database::Deadline deadline);

/// Removes all records that were imported into the account, and returns their number.
std::int64_t reset_account(database::Database& database, const AccountName& account,
                           const std::string& author, database::Deadline deadline);
/// Returns how often the account was reset, put on hold, released or erased.
[[nodiscard]] std::int64_t count_actions(database::Database& database, const AccountName& account,
                                         database::Deadline deadline);
/// Puts an account on hold or, if `is_held` is false, releases it. Returns true if anything changed.
bool hold_account(database::Database& database, const AccountName& account, bool is_held,
                  const std::string& author, database::Deadline deadline);
/// Erases an account, and returns the number of its records; nothing if it was erased already.
std::optional<std::int64_t> erase_account(database::Database& database, const AccountName& account,
                                          const std::string& author, database::Deadline deadline);

/// Selects the failed accounts of a supplier whose reason of failure contains `reason_like` (in upper or
/// lower case); without `reason_like`, all failed accounts.
struct RetryFilter {
    std::string import_supplier;
    std::optional<std::string> reason_like;
};

/// Returns the elements of `numbers` that are not the number of a failed account of the supplier.
[[nodiscard]] std::vector<std::string> accounts_not_failed(database::Database& database,
                                                           const std::string& import_supplier,
                                                           const std::vector<std::string>& numbers,
                                                           database::Deadline deadline);

/// The result of retry_slice().
struct RetriedSlice {
    std::uint64_t accounts = 0;
    /// External number of the last account that the slice read, which the next call gets as `after`; nothing
    /// if this slice was the last one.
    std::optional<std::string> last_number = {};
};

/// Stages those of the next ten thousand failed accounts that the filter selects. The next accounts are those
/// behind the external number `after`, which is empty for the first slice. Has to be called in a transaction.
/// Other steps of accounts wait until this transaction ends. Throws Refused as retry_failed_accounts() does.
RetriedSlice retry_slice(database::Database& database, const RetryFilter& filter, const std::string& after,
                         const std::string& author, database::Deadline deadline);
/// Throws Refused as retry_failed_accounts() does, unless the supplier is Ongoing.
void need_ongoing_supplier(database::Database& database, const std::string& import_supplier,
                           database::Deadline deadline);
/// Counts the selected accounts.
[[nodiscard]] std::uint64_t count_failed_accounts(database::Database& database, const RetryFilter& filter,
                                                  database::Deadline deadline);

/// Stages the failed accounts that the filter selects, and returns their number. After each slice of
/// accounts, calls `done` with the number of accounts staged so far, and with their fraction of all accounts
/// to stage (0 to 1). `author` stands in the accounts' histories. Throws Refused with DI001 if there is no
/// such supplier, and with DI002 if the supplier is not Ongoing. Also throws what Database throws. If a slice
/// fails, the earlier slices stay committed, and the call may be made again.
///
/// Each slice has a transaction of its own, so that other steps of accounts wait for one slice at most.
std::uint64_t retry_failed_accounts(database::Database& database, const RetryFilter& filter,
                                    const std::string& author,
                                    const std::function<void(std::uint64_t accounts, double fraction)>& done,
                                    database::Deadline deadline);

}  // namespace data_import::store
