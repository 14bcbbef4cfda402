// The accounts of an export, in the form in which another installation loads them.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::store {

/// An account of an export. Views are valid during the call that gets them. All members but the first two
/// belong to imported accounts only.
struct ExportedAccount {
    std::string_view external_account_number;
    std::string_view state;
    std::optional<std::string_view> service_account_number = {};
    std::optional<std::string> account_created_at = {};        ///< RFC 3339
    std::optional<std::string_view> statement_first_day = {};  ///< of the open period, else of the last one
    std::optional<std::string_view> statement_last_day = {};
};

/// Passes the supplier's accounts on one by one, by number (by code point): only these numbers, if there are
/// any.
void list_exported_accounts(database::Database& database, std::string_view import_supplier,
                            std::span<const std::string> external_account_numbers,
                            const std::function<void(const ExportedAccount&)>& each,
                            database::Deadline deadline);

}  // namespace data_import::store
