// Everything that operators see about one account.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/store/accounts.h"
#include "data/store/import_log.h"

namespace data_import::store {

/// One step of an account's life.
struct AccountStep {
    std::string state;                  ///< the state that began: staged, in_progress, failed, imported
    std::string at;                     ///< RFC 3339
    std::string author;                 ///< the operator who took the step
    std::optional<std::string> reason;  ///< reason of a failure
};

/// A request that stored records of one kind.
struct AccountImport {
    std::string kind;        ///< notes, transactions, ...
    std::string request_id;  ///< 32 hexadecimal digits
    std::string api_key_id;
    std::string imported_at;   ///< RFC 3339
    std::int64_t records = 0;  ///< number of records that the request stored
};

/// The time and the author of an action on an account.
struct AccountMark {
    std::string at;  ///< RFC 3339
    std::string author;
};

/// An action of an operator who reset, held, released or erased an account. Such an action is no step of the
/// account's life. An erasure is listed only if the account was staged again after the erasure.
struct AccountAction {
    std::string action;  ///< reset, held, released, erased
    std::string at;      ///< RFC 3339
    std::string author;
    std::optional<std::string> records;  ///< number of records that were removed; only of a reset
};

/// The greatest lengths of the lists in AccountDetails; `max_imports_of_kind` is for each kind of records.
inline constexpr int max_account_steps = 100;
inline constexpr int max_account_actions = 100;
inline constexpr int max_imports_of_kind = 3;
inline constexpr int max_document_locations = 100;

/// The documents that the account's data refers to: view data_import.document_location (contract, section
/// 1.5).
struct DocumentLocations {
    std::int64_t count = 0;  ///< number of different documents
    /// Locations of the account's documents: the first `max_document_locations` in alphabetical order (by
    /// code point). A location is the supplier's document root followed by the document's path, without a
    /// slash in front.
    std::vector<std::string> locations;
};

struct AccountDetails {
    std::string state;  ///< staged, in_progress, failed, imported
    std::optional<std::string> service_account_number;
    std::optional<std::string> account_created_at;  ///< RFC 3339, as the times below
    std::optional<std::string> failure_reason;
    std::string staged_at;
    std::string state_changed_at;
    /// YYYY-MM-DD: first day of the open statement period; nothing if none is open.
    std::optional<std::string> statement_first_day;
    std::optional<std::string> statement_last_day;
    RecordCounts records;
    DocumentLocations documents;
    std::optional<AccountMark> hold;     ///< beginning and author of the hold; nothing: no hold
    std::vector<AccountStep> history;    ///< the last `max_account_steps`, the oldest first
    std::vector<AccountAction> actions;  ///< the last `max_account_actions`, the oldest first
    /// The last `max_imports_of_kind` of each kind, the latest first.
    std::vector<AccountImport> last_imports;
    std::vector<KeptRefusal> last_refusals;
    /// The number of all refusals of the supplier, and the number of those that are kept individually. Given
    /// only if some refusals of the supplier are not kept and `last_refusals` is not full. Then
    /// `last_refusals` may lack refusals of this account.
    std::optional<KeptPart> not_kept;
};

[[nodiscard]] std::optional<AccountDetails> find_account(database::Database& database,
                                                         const AccountName& account,
                                                         database::Deadline deadline);
/// The erasure of an account that has not been staged again since.
struct Erasure {
    std::string import_supplier;
    AccountMark mark;
};

/// Returns the erasures of accounts with this number, of one supplier or of all, in the order of the
/// suppliers' codes.
[[nodiscard]] std::vector<Erasure> find_erasures(database::Database& database,
                                                 const std::string& external_account_number,
                                                 const std::optional<std::string>& import_supplier,
                                                 database::Deadline deadline);
/// Returns nothing if the account was not erased, or was staged again since.
[[nodiscard]] std::optional<AccountMark> find_erasure(database::Database& database,
                                                      const AccountName& account,
                                                      database::Deadline deadline);

}  // namespace data_import::store
