// The history of one account: its steps, and the requests that brought its records.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "database/database.h"
#include "store/account_name.h"

namespace data_import::store {

/// One step of an account's life.
struct AccountStep {
    std::string state;                  ///< that began: staged, in_progress, failed, imported
    std::string at;                     ///< RFC 3339
    std::string author;                 ///< operator of the step
    std::optional<std::string> reason;  ///< reason of a failure
};

/// A request that stored records of one kind.
struct AccountImport {
    std::string kind;        ///< notes, transactions, ...
    std::string request_id;  ///< 32 hexadecimal digits
    std::string api_key_id;
    std::string imported_at;   ///< RFC 3339
    std::int64_t records = 0;  ///< that it stored
};

inline constexpr int max_account_steps = 100;
inline constexpr int max_imports_of_kind = 3;

/// The last `max_account_steps`, the first of them first.
[[nodiscard]] std::vector<AccountStep> list_account_steps(database::Database& database,
                                                          const AccountName& account,
                                                          database::Deadline deadline);
/// The last `max_imports_of_kind` of each kind, the latest first.
[[nodiscard]] std::vector<AccountImport> list_last_imports(database::Database& database,
                                                           const AccountName& account,
                                                           database::Deadline deadline);

}  // namespace data_import::store
