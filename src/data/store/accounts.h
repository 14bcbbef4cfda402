// Accounts as clients and operators find them: status and searches (sql/schema/04-accounts.sql).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// The name by which operators know an account.
struct AccountName {
    std::string import_supplier;
    std::string external_account_number;
    [[nodiscard]] bool operator==(const AccountName&) const = default;
};

/// The states of an account, in the order of its life, with `failed` before `imported`.
inline constexpr std::array<std::string_view, 4> account_states = {"staged", "in_progress", "failed",
                                                                   "imported"};

/// Returns the place of a state in account_states. Throws std::logic_error if it is none of these.
[[nodiscard]] std::size_t place_of_state(std::string_view state);

/// The number of accounts in each state, in the order of account_states.
using AccountCounts = std::array<std::int64_t, account_states.size()>;

/// The number of records of each kind, in the order of records::kinds().
using RecordCounts = std::vector<std::pair<std::string_view, std::int64_t>>;

struct AccountStatus {
    std::string state;  ///< staged, in_progress, failed, imported
    /// The account's number on the platform; empty unless it is imported.
    std::string service_account_number;
};

[[nodiscard]] database::Call find_account_status(std::string_view import_supplier,
                                                 std::string_view external_account_number);
/// Reads the status from the rows of find_account_status(). Returns nothing if there are no rows, because the
/// account does not exist.
[[nodiscard]] std::optional<AccountStatus> read_account_status(const database::Rows& rows);

/// Returns external account numbers of a supplier that begin with `beginning`: the first `most` by code
/// point.
[[nodiscard]] std::vector<std::string> account_numbers(database::Database& database,
                                                       const std::string& import_supplier,
                                                       const std::string& beginning, std::size_t most,
                                                       database::Deadline deadline);

/// Returns the account that was perhaps meant by the mistyped `number`: the only account with a similar
/// number. Without `import_supplier`, searches the accounts of all suppliers. Returns nothing if no account
/// has a similar number, or several have. Similar are `number` itself and its util::similar_numbers();
/// invisible characters in an account's number do not count. Takes some hundred look-ups in an index.
[[nodiscard]] std::optional<AccountName> find_meant_account(database::Database& database,
                                                            const std::string& number,
                                                            const std::optional<std::string>& import_supplier,
                                                            database::Deadline deadline);

/// Returns accounts of all suppliers whose external account number begins with `text` and is longer: the
/// first `most` by number.
[[nodiscard]] std::vector<AccountName> find_accounts_beginning(database::Database& database,
                                                               std::string_view text, std::size_t most,
                                                               database::Deadline deadline);

/// Returns the accounts with this external account number, of all suppliers, in the order of the suppliers'
/// codes. Last comes the account that has the number as its service_account_number on the platform, if there
/// is one.
[[nodiscard]] std::vector<AccountName> find_accounts_of_number(database::Database& database,
                                                               std::string_view number,
                                                               database::Deadline deadline);

}  // namespace data_import::store
