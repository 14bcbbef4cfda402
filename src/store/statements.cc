#include "store/statements.h"

namespace data_import::store {

bool open_statement(database::Database& database, const AccountName& account, const std::string& first_day,
                    const std::string& last_day, database::Deadline deadline) {
    return database
        .execute(
            {.name = "statement_open",
             .sql = "SELECT data_import.statement_open($1, $2, $3, $4)",
             .parameters = {account.import_supplier, account.external_account_number, first_day, last_day},
             .repeatable = false},
            deadline)
        .boolean(0, 0);
}

bool close_statement(database::Database& database, const AccountName& account, database::Deadline deadline) {
    return database
        .execute({.name = "statement_close",
                  .sql = "SELECT data_import.statement_close($1, $2)",
                  .parameters = {account.import_supplier, account.external_account_number},
                  .repeatable = false},
                 deadline)
        .boolean(0, 0);
}

}  // namespace data_import::store
