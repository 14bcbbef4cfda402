#include "store/account_history.h"

#include <algorithm>

#include "records/kinds.h"
#include "store/column_text.h"

namespace data_import::store {

namespace {

std::string select_last_imports() {
    std::string sql;
    for (const records::Kind& kind : records::kinds()) {
        sql += sql.empty() ? "" : " UNION ALL ";
        (sql += "(SELECT '") += kind.name;
        ((sql += "', request_id, api_key_id, max(imported_at) AS imported_at, count(*) FROM data_import.") +=
         kind.table) +=
            " WHERE account_key = data_import.account_key($1, $2) GROUP BY request_id, api_key_id ";
        sql += "ORDER BY max(imported_at) DESC LIMIT " + std::to_string(max_imports_of_kind) + ")";
    }
    return sql + " ORDER BY 4 DESC, 1";
}

}  // namespace

std::vector<AccountStep> list_account_steps(database::Database& database, const AccountName& account,
                                            database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "list_account_steps",
         .sql = "SELECT state, at, author, reason FROM "
                "(SELECT * FROM data_import.account_step WHERE account_key = data_import.account_key($1, $2) "
                "ORDER BY number DESC LIMIT $3) AS last ORDER BY number",
         .parameters = {account.import_supplier, account.external_account_number,
                        std::to_string(max_account_steps)}},
        deadline);
    std::vector<AccountStep> steps;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        steps.push_back({std::string(rows.text(row, 0)), to_rfc3339(rows.text(row, 1)),
                         std::string(rows.text(row, 2)), rows.optional_text(row, 3)});
    }
    return steps;
}

std::vector<AccountImport> list_last_imports(database::Database& database, const AccountName& account,
                                             database::Deadline deadline) {
    static const std::string sql = select_last_imports();
    const database::Rows rows =
        database.execute({.name = "list_last_imports",
                          .sql = sql.c_str(),
                          .parameters = {account.import_supplier, account.external_account_number}},
                         deadline);
    std::vector<AccountImport> imports;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        imports.push_back({std::string(rows.text(row, 0)), uuid_digits(rows.text(row, 1)),
                           std::string(rows.text(row, 2)), to_rfc3339(rows.text(row, 3)),
                           rows.integer(row, 4)});
    }
    return imports;
}

}  // namespace data_import::store
