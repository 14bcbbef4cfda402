#include "data/store/erasure.h"

#include <unistd.h>

#include <array>

namespace data_import::store {

namespace {

std::string host_name() {
    std::array<char, 256> host{};
    gethostname(host.data(), host.size() - 1);
    return host.data();
}

}  // namespace

std::optional<SupplierErasure> read_erasure(const database::Row& row, std::size_t first_column) {
    if (row.is_null(first_column)) return std::nullopt;
    return SupplierErasure{.began_at = row.time(first_column),
                           .begun_by = row.text(first_column + 1),
                           .ended_at = row.optional_time(first_column + 2),
                           .accounts = row.integer(first_column + 3),
                           .records = row.integer(first_column + 4)};
}

std::optional<SupplierErasure> find_erasure(database::Database& database, const std::string& code,
                                            database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "find_erasure",
                          .sql = "SELECT began_at, begun_by, ended_at, accounts, records "
                                 "FROM data_import.supplier_erasure WHERE import_supplier = $1",
                          .parameters = {code}},
                         deadline);
    return rows.size() == 0 ? std::nullopt : read_erasure(rows[0], 0);
}

std::vector<UntakenNews> list_untaken_news(database::Database& database, const std::string& code,
                                           database::Deadline deadline) {
    return database
        .execute({.name = "list_untaken_news",
                  .sql = "SELECT consumer, is_ready, accounts FROM data_import.consumers_behind($1)",
                  .parameters = {code}},
                 deadline)
        .each([](const database::Row& row) {
            return UntakenNews{
                .consumer = row.text(0), .is_ready = row.boolean(1), .accounts = row.integer(2)};
        });
}

void begin_erasure(database::Database& database, const std::string& code, bool although_news,
                   const std::string& author, database::Deadline deadline) {
    database.execute({.name = "begin_erasure",
                      .sql = "SELECT data_import.begin_erasure($1, $2::boolean) "
                             "FROM set_config('data_import.operator', $3, true)",
                      .parameters = {code, although_news ? "true" : "false", author}},
                     deadline);
}

ErasureSlice erase_some_accounts(database::Database& database, const std::string& code,
                                 database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "erase_some_accounts",
                          .sql = "SELECT accounts, records, is_done FROM data_import.erase_some_accounts($1)",
                          .parameters = {code},
                          .retryable = false},
                         deadline);
    return {.accounts = rows.integer(0, 0), .records = rows.integer(0, 1), .is_done = rows.boolean(0, 2)};
}

database::Call erase_due_suppliers() {
    return {.name = "erase_due_suppliers",
            .sql = "SELECT data_import.erase_due_suppliers($1)",
            .parameters = {host_name()}};
}

AccountsLeft find_accounts_left(database::Database& database, const std::string& code, std::size_t most_named,
                                database::Deadline deadline) {
    const database::Rows counts = database.execute(
        {.name = "count_accounts_left",
         .sql = "SELECT count(*), count(hold.account_key) FROM data_import.account "
                "LEFT JOIN data_import.account_hold AS hold USING (account_key) WHERE import_supplier = $1",
         .parameters = {code}},
        deadline);
    const database::Rows first = database.execute(
        {.name = "list_accounts_on_hold",
         .sql = "SELECT external_account_number FROM data_import.account "
                "JOIN data_import.account_hold USING (account_key) WHERE import_supplier = $1 "
                "ORDER BY external_account_number LIMIT $2",
         .parameters = {code, std::to_string(most_named)}},
        deadline);
    return {.all = counts.integer(0, 0), .on_hold = counts.integer(0, 1), .first_on_hold = first.texts()};
}

std::vector<OverdueErasure> list_overdue_erasures(database::Database& database, database::Deadline deadline) {
    return database
        .execute({.name = "list_overdue_erasures",
                  .sql = "SELECT code, due_since, began_at, begun_by, ended_at, accounts, records "
                         "FROM (SELECT code, CASE WHEN status = 'Complete' "
                         "THEN status_since + make_interval(days => erase_after_days) END AS due_since "
                         "FROM data_import.import_supplier) AS supplier "
                         "LEFT JOIN data_import.supplier_erasure ON import_supplier = code "
                         "WHERE least(due_since, began_at) < now() - interval '1 day' AND ended_at IS NULL "
                         "ORDER BY code"},
                 deadline)
        .each([](const database::Row& row) {
            return OverdueErasure{.import_supplier = row.text(0),
                                  .due_since = row.optional_time(1),
                                  .erasure = read_erasure(row, 2)};
        });
}

}  // namespace data_import::store
