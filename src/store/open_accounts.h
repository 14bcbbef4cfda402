// Accounts that need attention: those whose last attempt failed, and those whose attempt runs for long.
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
    std::optional<std::string> reason;  ///< reason of a failed one
};

/// The latest failures first, or the longest attempts first.
enum class OpenState { failed, in_progress };

[[nodiscard]] database::Call list_open_accounts(std::string_view import_supplier, OpenState state,
                                                std::size_t most);
[[nodiscard]] std::vector<OpenAccount> read_open_accounts(const database::Rows& rows);

/// The next ones in the order of their numbers, at most `open_accounts_at_once`: rows of account key, number,
/// since and reason. `hours`: whose state has lasted for longer. Accounts may be on other machines than the
/// table of open ones, so their other columns have to be read by key.
[[nodiscard]] database::Call find_next_open_accounts(std::string_view import_supplier, OpenState state,
                                                     const std::optional<std::string>& hours,
                                                     const std::string& after);
inline constexpr std::size_t open_accounts_at_once = 1000;

}  // namespace data_import::store
