// Acts of operators on accounts, which data-importctl and the page of operators do alike: the change, and its
// entry in the audit history. Each has to be called in a transaction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/database/database.h"
#include "data/store/account_steps.h"
#include "data/store/operator.h"

namespace data_import::store {

/// Records that failed accounts were staged again; `account` is the only one.
std::int64_t record_staged(database::Database& database, const std::string& import_supplier,
                           std::uint64_t accounts, const std::optional<std::string>& account,
                           const Operator& by, database::Deadline deadline);

/// Puts an account on hold, or ends that. Returns the id of the entry; nothing if it was so before.
std::optional<std::int64_t> set_hold(database::Database& database, const AccountName& account, bool is_held,
                                     const Operator& by, database::Deadline deadline);

/// Returns `1 record`, `20 records`.
[[nodiscard]] std::string records_text(std::int64_t records);

/// Records that records were removed from an account: `account_reset` or `account_erased`.
std::int64_t record_removal(database::Database& database, std::string_view action, const AccountName& account,
                            std::int64_t records, const Operator& by, database::Deadline deadline);

}  // namespace data_import::store
