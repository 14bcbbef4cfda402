#include "data/store/request_trace.h"

#include <array>

#include "data/records/kinds.h"

namespace data_import::store {

namespace {

/// A table of a kind whose records belong to no account.
struct SharedTable {
    std::string_view kind;
    std::string_view table;
};

constexpr std::array shared_tables = {SharedTable{"market_participants", "market_participant"},
                                      SharedTable{"price_sheets", "price_sheet"}};

std::string select_of_accounts(std::string_view table, bool of_one) {
    std::string sql =
        "SELECT account.import_supplier, account.external_account_number, found.api_key_id, "
        "found.imported_at, found.records "
        "FROM (SELECT account_key, api_key_id, min(imported_at) AS imported_at, count(*) AS records "
        "FROM data_import.";
    (sql += table) += " WHERE request_id = $1";
    if (of_one) sql += " AND account_key = data_import.account_key($2, $3)";
    sql +=
        " GROUP BY account_key, api_key_id) AS found "
        "JOIN data_import.account ON account.account_key = found.account_key ORDER BY 1, 2 LIMIT ";
    return sql += std::to_string(max_accounts_of_request);
}

std::string select_shared(std::string_view table) {
    return "SELECT NULL, NULL, api_key_id, min(imported_at), count(*) FROM data_import." +
           std::string(table) + " WHERE request_id = $1 GROUP BY api_key_id";
}

StoredRecords read_records(std::string_view kind, const database::Row& row) {
    StoredRecords found{.kind = std::string(kind),
                        .account = {},
                        .api_key_id = row.text(2),
                        .imported_at = row.time(3),
                        .records = row.integer(4)};
    if (!row.is_null(0)) found.account = {row.text(0), row.text(1)};
    return found;
}

}  // namespace

std::vector<StoredRecords> find_records_of_request(database::Database& database,
                                                   const std::string& request_id,
                                                   const std::optional<AccountName>& account,
                                                   const std::function<void(std::string_view kind)>& looking,
                                                   database::Deadline deadline) {
    std::vector<StoredRecords> found;
    const auto search = [&](std::string_view kind, std::string_view table, const std::string& sql) {
        looking(kind);
        database::Call call{
            .name = (account ? "request_trace_of_account_" : "request_trace_") + std::string(table),
            .sql = sql,
            .parameters = {request_id}};
        if (account) {
            call.parameters.emplace_back(account->import_supplier);
            call.parameters.emplace_back(account->external_account_number);
        }
        const auto work = [&] {
            database.execute_script("SET LOCAL statement_timeout = '30min'", deadline);
            const database::Rows rows = database.execute(call, deadline);
            for (std::size_t row = 0; row < rows.size(); ++row)
                found.push_back(read_records(kind, rows[row]));
        };
        database.transaction(work, deadline);
    };
    for (const records::Kind& kind : records::kinds())
        search(kind.name, kind.table, select_of_accounts(kind.table, account.has_value()));
    if (account) return found;
    for (const SharedTable& shared : shared_tables)
        search(shared.kind, shared.table, select_shared(shared.table));
    return found;
}

}  // namespace data_import::store
