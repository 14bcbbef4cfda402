// The life of an account as operators move it (contract, section 1.3), over the functions of sql/.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "database/database.h"
#include "store/account_history.h"
#include "store/account_name.h"
#include "store/account_removal.h"
#include "store/document_locations.h"
#include "store/import_log.h"
#include "store/record_counts.h"

namespace data_import::store {

/// The facts known when an account was created on the platform. Without a number one is given out; without a
/// time it is the present.
struct Completion {
    std::optional<std::string> service_account_number;
    std::optional<std::string> account_created_at;   ///< RFC 3339
    std::optional<std::string> statement_first_day;  ///< YYYY-MM-DD; with `statement_last_day`
    std::optional<std::string> statement_last_day;
};

/// Everything about an account that operators see.
struct AccountDetails {
    std::string state;  ///< staged, in_progress, failed, imported
    std::optional<std::string> service_account_number;
    std::optional<std::string> account_created_at;  ///< RFC 3339, as the times below
    std::optional<std::string> failure_reason;
    std::string staged_at;
    std::string state_changed_at;
    std::optional<std::string> statement_first_day;  ///< first day of the open statement period
    std::optional<std::string> statement_last_day;
    RecordCounts records;
    DocumentLocations documents;
    std::optional<AccountMark> hold;
    std::vector<AccountStep> history;
    std::vector<AccountAction> actions;
    std::vector<AccountImport> last_imports;
    std::vector<KeptRefusal> last_refusals;
};

// The steps throw Refused with the SQLSTATEs of sql/0008-account-steps.sql. True when anything changed.
// `author` is the system user who stands in the account's history.

/// `although_erased`: an erased account begins anew; else it is refused with DI007.
bool stage_account(database::Database& database, const AccountName& account, bool although_erased,
                   const std::string& author, database::Deadline deadline);
bool begin_account(database::Database& database, const AccountName& account, const std::string& author,
                   database::Deadline deadline);
bool fail_account(database::Database& database, const AccountName& account, const std::string& reason,
                  const std::string& author, database::Deadline deadline);
/// Returns the service account number.
std::string complete_account(database::Database& database, const AccountName& account,
                             const Completion& completion, const std::string& author,
                             database::Deadline deadline);

[[nodiscard]] std::optional<AccountDetails> find_account(database::Database& database,
                                                         const AccountName& account,
                                                         database::Deadline deadline);

}  // namespace data_import::store
