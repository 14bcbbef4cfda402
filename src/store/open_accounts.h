// Accounts that somebody has to look at: those whose last attempt failed, and those whose attempt runs for
// long.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"

namespace data_import::store {

struct OpenAccount {
    std::string external_account_number;
    std::string since;                  ///< RFC 3339: when its state began
    std::optional<std::string> reason;  ///< of a failed one
};

/// The latest failures first, or the longest attempts first.
enum class OpenState { failed, in_progress };

[[nodiscard]] database::Call list_open_accounts(std::string_view import_supplier, OpenState state,
                                                std::size_t most);
[[nodiscard]] std::vector<OpenAccount> read_open_accounts(const database::Rows& rows);

}  // namespace data_import::store
