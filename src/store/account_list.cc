#include "store/account_list.h"

#include <algorithm>

#include "store/accounts.h"
#include "store/copy_row.h"
#include "store/record_counts.h"
#include "store/timestamp.h"

namespace data_import::store {

namespace {

enum Column : std::size_t { external_account_number, state, reason, since, attempts, first_kind };

std::string records_of(const RecordTable& kind, std::string_view what) {
    return "SELECT " + std::string(what) + " FROM data_import." + std::string(kind.table) +
           " AS record WHERE record.account_key = account.account_key";
}

std::string columns() {
    std::string sql =
        "external_account_number, state, failure_reason, state_changed_at, (" + count_of_attempts() + ")";
    for (const RecordTable& kind : record_tables()) sql += ", (" + records_of(kind, "count(*)") + ")";
    return sql;
}

std::string conditions(database::Database& database, const AccountFilter& filter) {
    std::string sql = "import_supplier = " + database.quote_literal(filter.import_supplier);
    if (filter.state) sql += " AND state = " + database.quote_literal(*filter.state);
    if (filter.since)
        sql += " AND state_changed_at >= " + database.quote_literal(*filter.since) + "::timestamptz";
    if (filter.running_hours) {
        sql += " AND state = 'in_progress' AND state_changed_at < now() - make_interval(hours => " +
               database.quote_literal(*filter.running_hours) + "::integer)";
    }
    if (filter.without) {
        const auto kind = std::ranges::find(record_tables(), *filter.without, &RecordTable::name);
        sql += " AND state = 'imported' AND NOT EXISTS (" + records_of(*kind, "1") + ")";
    }
    return sql;
}

}  // namespace

// COPY is the fastest way to many rows, but takes no parameters. jit: what it compiles for each kind is not
// worth its time. A plan that hashes all records would show nothing for minutes.
void list_accounts(database::Database& database, const AccountFilter& filter,
                   const std::function<void(const AccountSummary&)>& each, database::Deadline deadline) {
    const std::string sql = "COPY (SELECT " + columns() + " FROM data_import.account WHERE " +
                            conditions(database, filter) + " ORDER BY external_account_number) TO STDOUT";
    const std::size_t kinds = record_tables().size();
    CopyRow fields;
    AccountSummary account;
    const auto sink = [&](std::string_view row) {
        fields.read(row, first_kind + kinds);
        account.external_account_number = fields.text(external_account_number);
        account.state = fields.text(state);
        account.reason = fields.optional(reason);
        account.since = to_rfc3339(fields.text(since));
        account.attempts = fields.text(attempts);
        account.records.clear();
        for (std::size_t kind = 0; kind < kinds; ++kind)
            account.records.push_back(fields.text(first_kind + kind));
        each(account);
    };
    database.transaction(
        [&] {
            database.execute_script(
                "SET LOCAL statement_timeout = 0; SET LOCAL jit = off; SET LOCAL enable_hashjoin = off; "
                "SET LOCAL enable_mergejoin = off",
                deadline);
            database.copy_out(sql, sink, deadline);
        },
        deadline);
}

// What is sorted between a text and the text with the greatest of all characters behind it begins with it.
std::vector<std::string> account_numbers(database::Database& database, const std::string& import_supplier,
                                         const std::string& beginning, std::size_t most,
                                         database::Deadline deadline) {
    const database::Rows rows = database.execute(
        {.name = "account_numbers",
         .sql = "SELECT external_account_number FROM data_import.account WHERE import_supplier = $1 AND "
                "external_account_number BETWEEN $2::text AND $2::text || chr(1114111) "
                "ORDER BY external_account_number LIMIT $3::bigint",
         .parameters = {import_supplier, beginning, std::to_string(most)}},
        deadline);
    std::vector<std::string> numbers;
    for (std::size_t row = 0; row < rows.size(); ++row) numbers.emplace_back(rows.text(row, 0));
    return numbers;
}

}  // namespace data_import::store
