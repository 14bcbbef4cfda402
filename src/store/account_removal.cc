#include "store/account_removal.h"

#include "store/column_text.h"

namespace data_import::store {

namespace {

std::optional<AccountMark> find_mark(database::Database& database, const char* name, const char* sql,
                                     const AccountName& account, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = name, .sql = sql, .parameters = {account.import_supplier, account.external_account_number}},
        deadline);
    if (rows.size() == 0) return std::nullopt;
    return AccountMark{to_rfc3339(rows.text(0, 0)), std::string(rows.text(0, 1))};
}

}  // namespace

// Each step sets its author in its own transaction. None is repeated after an unknown outcome: the repeat
// would find nothing to do, and report that.
std::int64_t reset_account(database::Database& database, const AccountName& account,
                           const std::string& author, database::Deadline deadline) {
    return database
        .execute({.name = "account_reset",
                  .sql = "SELECT data_import.account_reset($1, $2) "
                         "FROM set_config('data_import.operator', $3, true)",
                  .parameters = {account.import_supplier, account.external_account_number, author},
                  .repeatable = false},
                 deadline)
        .integer(0, 0);
}

bool hold_account(database::Database& database, const AccountName& account, bool is_held,
                  const std::string& author, database::Deadline deadline) {
    return database
        .execute({.name = "account_hold",
                  .sql = "SELECT data_import.account_hold($1, $2, $3) "
                         "FROM set_config('data_import.operator', $4, true)",
                  .parameters = {account.import_supplier, account.external_account_number,
                                 is_held ? "t" : "f", author},
                  .repeatable = false},
                 deadline)
        .boolean(0, 0);
}

bool erase_account(database::Database& database, const AccountName& account, const std::string& author,
                   database::Deadline deadline) {
    return database
        .execute({.name = "account_erase",
                  .sql = "SELECT data_import.account_erase($1, $2) "
                         "FROM set_config('data_import.operator', $3, true)",
                  .parameters = {account.import_supplier, account.external_account_number, author},
                  .repeatable = false},
                 deadline)
        .boolean(0, 0);
}

std::optional<AccountMark> find_hold(database::Database& database, const AccountName& account,
                                     database::Deadline deadline) {
    return find_mark(database, "find_hold",
                     "SELECT since, author FROM data_import.account_hold "
                     "WHERE account_key = data_import.account_key($1, $2)",
                     account, deadline);
}

std::optional<AccountMark> find_erasure(database::Database& database, const AccountName& account,
                                        database::Deadline deadline) {
    return find_mark(database, "find_erasure",
                     "SELECT at, author FROM data_import.erased_account "
                     "WHERE account_key = data_import.account_key($1, $2)",
                     account, deadline);
}

std::vector<AccountAction> list_account_actions(database::Database& database, const AccountName& account,
                                                database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "list_account_actions",
         .sql =
             "SELECT action, at, author, records FROM "
             "(SELECT * FROM data_import.account_action WHERE account_key = data_import.account_key($1, $2) "
             "ORDER BY number DESC LIMIT $3) AS last ORDER BY number",
         .parameters = {account.import_supplier, account.external_account_number,
                        std::to_string(max_account_actions)}},
        deadline);
    std::vector<AccountAction> actions;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        actions.push_back({std::string(rows.text(row, 0)), to_rfc3339(rows.text(row, 1)),
                           std::string(rows.text(row, 2)), rows.optional_text(row, 3)});
    }
    return actions;
}

}  // namespace data_import::store
