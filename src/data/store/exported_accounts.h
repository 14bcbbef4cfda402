// The accounts of an export, in the form in which another installation loads them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::store {

/// An account of an export. The string views are valid only during the callback of list_exported_accounts().
/// Only imported accounts have more than the first two members.
struct ExportedAccount {
    std::string_view external_account_number;
    std::string_view state;
    std::optional<std::string_view> service_account_number = {};
    std::optional<std::string> account_created_at = {};  ///< RFC 3339
    /// The open statement period (YYYY-MM-DD) or, if none is open, the period that was closed last.
    std::optional<std::string_view> statement_first_day = {};
    std::optional<std::string_view> statement_last_day = {};
};

/// Calls `each` with accounts of the supplier, one by one, ordered by external account number (by code
/// point). Lists only the accounts with `external_account_numbers`; all accounts if no numbers are given.
void list_exported_accounts(database::Database& database, std::string_view import_supplier,
                            std::span<const std::string> external_account_numbers,
                            const std::function<void(const ExportedAccount&)>& each,
                            database::Deadline deadline);

}  // namespace data_import::store
