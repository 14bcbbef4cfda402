#include "store/account_steps.h"

#include "store/column_text.h"

namespace data_import::store {

// The author is set in the step's own transaction. A step that tells whether anything changed is not repeated
// after an unknown outcome: the repeat would change nothing.
bool stage_account(database::Database& database, const AccountName& account, bool although_erased,
                   const std::string& author, database::Deadline deadline) {
    return database
        .execute({.name = "account_stage",
                  .sql = "SELECT data_import.account_stage($1, $2, $3) "
                         "FROM set_config('data_import.operator', $4, true)",
                  .parameters = {account.import_supplier, account.external_account_number,
                                 although_erased ? "t" : "f", author},
                  .repeatable = false},
                 deadline)
        .boolean(0, 0);
}

bool begin_account(database::Database& database, const AccountName& account, const std::string& author,
                   database::Deadline deadline) {
    return database
        .execute({.name = "account_begin",
                  .sql = "SELECT data_import.account_begin($1, $2) "
                         "FROM set_config('data_import.operator', $3, true)",
                  .parameters = {account.import_supplier, account.external_account_number, author},
                  .repeatable = false},
                 deadline)
        .boolean(0, 0);
}

bool fail_account(database::Database& database, const AccountName& account, const std::string& reason,
                  const std::string& author, database::Deadline deadline) {
    return database
        .execute({.name = "account_fail",
                  .sql = "SELECT data_import.account_fail($1, $2, $3) "
                         "FROM set_config('data_import.operator', $4, true)",
                  .parameters = {account.import_supplier, account.external_account_number, reason, author},
                  .repeatable = false},
                 deadline)
        .boolean(0, 0);
}

std::string complete_account(database::Database& database, const AccountName& account,
                             const Completion& completion, const std::string& author,
                             database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "account_complete",
         .sql = "SELECT data_import.account_complete($1, $2, $3, $4, $5, $6) "
                "FROM set_config('data_import.operator', $7, true)",
         .parameters = {account.import_supplier, account.external_account_number,
                        completion.service_account_number, completion.account_created_at,
                        completion.statement_first_day, completion.statement_last_day, author}},
        deadline);
    return std::string(rows.text(0, 0));
}

std::optional<AccountDetails> find_account(database::Database& database, const AccountName& account,
                                           database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "account_details",
         .sql = "SELECT state, service_account_number, account_created_at, failure_reason, staged_at, "
                "state_changed_at, first_day, last_day "
                "FROM data_import.account LEFT JOIN data_import.statement_period AS period "
                "ON period.account_key = account.account_key AND closed_at IS NULL "
                "WHERE account.account_key = data_import.account_key($1, $2)",
         .parameters = {account.import_supplier, account.external_account_number}},
        deadline);
    if (rows.size() == 0) return std::nullopt;
    return AccountDetails{
        .state = std::string(rows.text(0, 0)),
        .service_account_number = rows.optional_text(0, 1),
        .account_created_at = optional_time(rows, 0, 2),
        .failure_reason = rows.optional_text(0, 3),
        .staged_at = to_rfc3339(rows.text(0, 4)),
        .state_changed_at = to_rfc3339(rows.text(0, 5)),
        .statement_first_day = rows.optional_text(0, 6),
        .statement_last_day = rows.optional_text(0, 7),
        .records = count_records_of_account(database, account, deadline),
        .documents = find_document_locations(database, account, deadline),
        .hold = find_hold(database, account, deadline),
        .history = list_account_steps(database, account, deadline),
        .actions = list_account_actions(database, account, deadline),
        .last_imports = list_last_imports(database, account, deadline),
        .last_refusals = list_last_refusals(database,
                                            {.external_account_number = account.external_account_number,
                                             .import_supplier = account.import_supplier,
                                             .most = max_account_refusals},
                                            deadline)};
}

}  // namespace data_import::store
