#include "data/store/account_details.h"

#include <algorithm>
#include <map>

#include "data/database/array_text.h"
#include "data/records/kinds.h"

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

/// Executes a query whose $1 and $2 name the account.
database::Rows ask(database::Database& database, const char* name, const std::string& sql,
                   const AccountName& account, database::Deadline deadline) {
    return database.execute(
        {.name = name, .sql = sql, .parameters = {account.import_supplier, account.external_account_number}},
        deadline);
}

/// Returns SQL that selects the account's last `most` rows of a table, the oldest first.
std::string last_of(const std::string& columns, const std::string& table, int most) {
    return "SELECT " + columns + " FROM (SELECT * FROM data_import." + table +
           " WHERE account_key = data_import.account_key($1, $2) ORDER BY number DESC LIMIT " +
           std::to_string(most) + ") AS last ORDER BY number";
}

/// Returns SQL that counts the account's records: one row, with a column for each kind.
std::string select_counts() {
    std::string sql;
    for (const records::Kind& kind : records::kinds()) {
        sql += sql.empty() ? "SELECT " : ", ";
        ((sql += "(SELECT count(*) FROM data_import.") += kind.table) +=
            " WHERE account_key = data_import.account_key($1, $2))";
    }
    return sql;
}

RecordCounts read_counts(const database::Row& row) {
    RecordCounts counts;
    for (const records::Kind& kind : records::kinds())
        counts.emplace_back(kind.name, row.integer(counts.size()));
    return counts;
}

DocumentLocations read_locations(const database::Rows& rows) {
    return {.count = rows.size() == 0 ? 0 : rows[0].integer(1), .locations = rows.texts()};
}

std::optional<AccountMark> read_mark(const database::Rows& rows) {
    if (rows.size() == 0) return std::nullopt;
    return AccountMark{rows[0].time(0), rows[0].text(1)};
}

AccountStep read_step(const database::Row& row) {
    return {row.text(0), row.time(1), row.text(2), row.optional_text(3)};
}

AccountAction read_action(const database::Row& row) {
    return {row.text(0), row.time(1), row.text(2), row.optional_text(3)};
}

AccountImport read_import(const database::Row& row) {
    return {row.text(0), row.uuid(1), row.text(2), row.time(3), row.integer(4)};
}

std::optional<KeptPart> find_not_kept(database::Database& database, const std::string& import_supplier,
                                      database::Deadline deadline) {
    auto partly_kept = list_partly_kept(database, import_supplier, std::nullopt, deadline);
    return partly_kept.empty() ? std::nullopt : std::optional(std::move(partly_kept.front()));
}

}  // namespace

std::optional<AccountDetails> find_account(database::Database& database, const AccountName& account,
                                           database::Deadline deadline) {
    const auto find = [&](const char* name, const std::string& sql) {
        return ask(database, name, sql, account, deadline);
    };
    const database::Rows rows =
        find("account_details",
             "SELECT state, service_account_number, account_created_at, failure_reason, staged_at, "
             "state_changed_at, first_day, last_day "
             "FROM data_import.account LEFT JOIN data_import.statement_period AS period "
             "ON period.account_key = account.account_key AND closed_at IS NULL "
             "WHERE account.account_key = data_import.account_key($1, $2)");
    if (rows.size() == 0) return std::nullopt;
    const database::Row row = rows[0];
    auto refusals = list_last_refusals(database,
                                       {.external_account_number = account.external_account_number,
                                        .import_supplier = account.import_supplier,
                                        .most = max_account_refusals},
                                       deadline);
    std::optional<KeptPart> not_kept;
    if (refusals.size() < max_account_refusals)
        not_kept = find_not_kept(database, account.import_supplier, deadline);
    return AccountDetails{
        .state = row.text(0),
        .service_account_number = row.optional_text(1),
        .account_created_at = row.optional_time(2),
        .failure_reason = row.optional_text(3),
        .staged_at = row.time(4),
        .state_changed_at = row.time(5),
        .statement_first_day = row.optional_text(6),
        .statement_last_day = row.optional_text(7),
        .records = read_counts(find("count_records_of_account", select_counts())[0]),
        .documents = read_locations(
            find("find_document_locations",
                 "SELECT location, count(*) OVER () FROM (SELECT DISTINCT location COLLATE \"C\" AS location "
                 "FROM data_import.document_location WHERE account_key = data_import.account_key($1, $2)) "
                 "AS document ORDER BY location LIMIT " +
                     std::to_string(max_document_locations))),
        .hold = read_mark(find("find_hold",
                               "SELECT since, author FROM data_import.account_hold "
                               "WHERE account_key = data_import.account_key($1, $2)")),
        .history = find("list_account_steps",
                        last_of("state, at, author, reason", "account_step", max_account_steps))
                       .each(read_step),
        .actions = find("list_account_actions",
                        last_of("action, at, author, records", "account_action", max_account_actions))
                       .each(read_action),
        .last_imports = find("list_last_imports", select_last_imports()).each(read_import),
        .last_refusals = std::move(refusals),
        .not_kept = std::move(not_kept)};
}

std::vector<Erasure> find_erasures(database::Database& database, const std::string& external_account_number,
                                   const std::optional<std::string>& import_supplier,
                                   database::Deadline deadline) {
    const database::Rows named =
        database.execute({.name = "keys_of_number_by_supplier",
                          .sql = "SELECT code, data_import.account_key(code, $1) FROM "
                                 "data_import.import_supplier WHERE $2::text IS NULL OR code = $2",
                          .parameters = {external_account_number, import_supplier}},
                         deadline);
    std::map<std::string, std::string> suppliers;
    database::ArrayText keys;
    for (std::size_t row = 0; row < named.size(); ++row) {
        suppliers[named[row].uuid(1)] = named[row].text(0);
        keys.add(named.text(row, 1));
    }
    auto erasures = database
                        .execute({.name = "find_erasures",
                                  .sql = "SELECT account_key, at, author FROM data_import.erased_account "
                                         "WHERE account_key = ANY ($1::uuid[])",
                                  .parameters = {keys.take()}},
                                 deadline)
                        .each([&](const database::Row& row) {
                            return Erasure{suppliers.at(row.uuid(0)), {row.time(1), row.text(2)}};
                        });
    std::ranges::sort(erasures, {}, &Erasure::import_supplier);
    return erasures;
}

std::optional<AccountMark> find_erasure(database::Database& database, const AccountName& account,
                                        database::Deadline deadline) {
    return read_mark(ask(database, "find_erasure",
                         "SELECT at, author FROM data_import.erased_account "
                         "WHERE account_key = data_import.account_key($1, $2)",
                         account, deadline));
}

}  // namespace data_import::store
