// Acts of operators on accounts, for data-importctl and the page of operators. The functions write the
// entries of the acts in the audit history, and set_hold() also makes the change. They have to be called in a
// transaction, and return the id of the entry.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/database/database.h"
#include "data/store/account_steps.h"
#include "data/store/operator.h"

namespace data_import::store {

/// Writes to the audit history that failed accounts of the supplier were staged again. `accounts` is their
/// number; `account` is the external number, if only one account was chosen. Returns the id of the entry.
std::int64_t record_staged(database::Database& database, const std::string& import_supplier,
                           std::uint64_t accounts, const std::optional<std::string>& account,
                           const Operator& by, database::Deadline deadline);

/// Puts an account on hold or, if `is_held` is false, releases the account. Returns the id of the entry in
/// the audit history. If the account was on hold already or, for a release, was not on hold, writes no entry
/// and returns nothing.
std::optional<std::int64_t> set_hold(database::Database& database, const AccountName& account, bool is_held,
                                     const Operator& by, database::Deadline deadline);

/// Returns a number of records as text: `1 record`, `20 records`.
[[nodiscard]] std::string records_text(std::int64_t records);

/// Writes to the audit history that the records of an account were removed. `records` is the number of these
/// records. `action` is `account_reset` or `account_erased`. Returns the id of the entry.
std::int64_t record_removal(database::Database& database, std::string_view action, const AccountName& account,
                            std::int64_t records, const Operator& by, database::Deadline deadline);

}  // namespace data_import::store
