// The commands of operators on accounts, over the functions of sql/: the steps of their life (contract,
// section 1.3), statement periods, and the ways to take imports back (sql/schema/23-account-removal.sql).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "data/database/database.h"
#include "data/store/accounts.h"

namespace data_import::store {

// A change of one account throws Refused with the SQLSTATEs of sql/schema/08-account-steps.sql. True when
// anything changed. `author` is the system user who stands in the account's history.

/// `although_erased`: an erased account begins anew; else it is refused with DI007.
bool stage_account(database::Database& database, const AccountName& account, bool although_erased,
                   const std::string& author, database::Deadline deadline);
bool begin_account(database::Database& database, const AccountName& account, const std::string& author,
                   database::Deadline deadline);
bool fail_account(database::Database& database, const AccountName& account, const std::string& reason,
                  const std::string& author, database::Deadline deadline);

/// The facts known when an account was created on the platform. Without a number one is given out; without a
/// time it is the present.
struct Completion {
    std::optional<std::string> service_account_number;
    std::optional<std::string> account_created_at;   ///< RFC 3339
    std::optional<std::string> statement_first_day;  ///< YYYY-MM-DD; with `statement_last_day`
    std::optional<std::string> statement_last_day;
};

/// Returns the number on the platform.
std::string complete_account(database::Database& database, const AccountName& account,
                             const Completion& completion, const std::string& author,
                             database::Deadline deadline);

// Only an imported account has statement periods.

/// Opens a period of these two days (YYYY-MM-DD) and those between them; the one that is open is closed.
bool open_statement(database::Database& database, const AccountName& account, const std::string& first_day,
                    const std::string& last_day, database::Deadline deadline);
/// Closes the open period; the account then takes no transactions.
bool close_statement(database::Database& database, const AccountName& account, database::Deadline deadline);

/// Removes all records that were imported into the account; returns how many.
std::int64_t reset_account(database::Database& database, const AccountName& account,
                           const std::string& author, database::Deadline deadline);
/// True when anything changed.
bool hold_account(database::Database& database, const AccountName& account, bool is_held,
                  const std::string& author, database::Deadline deadline);
/// How many records it had; nothing: it was erased already.
std::optional<std::int64_t> erase_account(database::Database& database, const AccountName& account,
                                          const std::string& author, database::Deadline deadline);

/// Selects failed accounts of a supplier: those whose reason contains `reason_like` in any case of its
/// letters; all if that is nothing.
struct RetryFilter {
    std::string import_supplier;
    std::optional<std::string> reason_like;
};

/// Stages them again in slices, each in a transaction of its own, so that other steps of accounts wait for
/// one slice at most. Finished slices stay when a later one fails, and the call may be repeated. `author`
/// stands in the accounts' histories. Tells after each slice how many are done, and their share of all (0 to
/// 1); answers how many were staged. Throws what Database throws; Refused with DI001 and DI002 when there is
/// no such supplier, or it is not Ongoing.
std::uint64_t retry_failed_accounts(database::Database& database, const RetryFilter& filter,
                                    const std::string& author,
                                    const std::function<void(std::uint64_t accounts, double fraction)>& done,
                                    database::Deadline deadline);

}  // namespace data_import::store
