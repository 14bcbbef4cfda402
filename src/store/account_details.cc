#include "store/account_details.h"

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

std::optional<AccountMark> find_mark(database::Database& database, const char* name, const char* sql,
                                     const AccountName& account, database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = name, .sql = sql, .parameters = {account.import_supplier, account.external_account_number}},
        deadline);
    if (rows.size() == 0) return std::nullopt;
    return AccountMark{to_rfc3339(rows.text(0, 0)), std::string(rows.text(0, 1))};
}

std::optional<AccountMark> find_hold(database::Database& database, const AccountName& account,
                                     database::Deadline deadline) {
    return find_mark(database, "find_hold",
                     "SELECT since, author FROM data_import.account_hold "
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

DocumentLocations find_document_locations(database::Database& database, const AccountName& account,
                                          database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "find_document_locations",
         .sql = "SELECT location, count(*) OVER () FROM (SELECT DISTINCT location COLLATE \"C\" "
                "AS location FROM data_import.document_location "
                "WHERE account_key = data_import.account_key($1, $2)) AS document "
                "ORDER BY location LIMIT $3",
         .parameters = {account.import_supplier, account.external_account_number,
                        std::to_string(max_document_locations)}},
        deadline);
    DocumentLocations documents;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        documents.count = rows.integer(row, 1);
        documents.locations.emplace_back(rows.text(row, 0));
    }
    return documents;
}

}  // namespace

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

std::optional<AccountMark> find_erasure(database::Database& database, const AccountName& account,
                                        database::Deadline deadline) {
    return find_mark(database, "find_erasure",
                     "SELECT at, author FROM data_import.erased_account "
                     "WHERE account_key = data_import.account_key($1, $2)",
                     account, deadline);
}

}  // namespace data_import::store
