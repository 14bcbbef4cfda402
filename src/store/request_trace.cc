#include "store/request_trace.h"

#include <array>

#include "records/kinds.h"
#include "store/column_text.h"

namespace data_import::store {

namespace {

/// A table of a kind whose records belong to no account.
struct SharedTable {
    std::string_view kind;
    std::string_view table;
};

constexpr std::array shared_tables = {SharedTable{"market_participants", "market_participant"},
                                      SharedTable{"price_sheets", "price_sheet"}};

struct Search {
    std::string_view kind;
    std::string name;  ///< name of the prepared statement
    std::string sql;
};

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

std::vector<Search> searches(bool of_one) {
    std::vector<Search> all;
    const std::string prefix = of_one ? "request_trace_of_account_" : "request_trace_";
    for (const records::Kind& kind : records::kinds())
        all.push_back({kind.name, prefix + std::string(kind.table), select_of_accounts(kind.table, of_one)});
    if (of_one) return all;
    for (const SharedTable& shared : shared_tables)
        all.push_back({shared.kind, prefix + std::string(shared.table), select_shared(shared.table)});
    return all;
}

/// They live as long as the program: sessions know statements by their names.
const std::vector<Search>& all_searches(bool of_one) {
    static const std::vector<Search> of_account = searches(true);
    static const std::vector<Search> of_all = searches(false);
    return of_one ? of_account : of_all;
}

StoredRecords read_records(std::string_view kind, const database::Rows& rows, std::size_t row) {
    StoredRecords found{.kind = std::string(kind),
                        .account = {},
                        .api_key_id = std::string(rows.text(row, 2)),
                        .imported_at = to_rfc3339(rows.text(row, 3)),
                        .records = rows.integer(row, 4)};
    if (!rows.is_null(row, 0))
        found.account = {std::string(rows.text(row, 0)), std::string(rows.text(row, 1))};
    return found;
}

}  // namespace

std::vector<StoredRecords> find_records_of_request(database::Database& database,
                                                   const std::string& request_id,
                                                   const std::optional<AccountName>& account,
                                                   const std::function<void(std::string_view kind)>& looking,
                                                   database::Deadline deadline) {
    std::vector<StoredRecords> found;
    for (const Search& search : all_searches(account.has_value())) {
        looking(search.kind);
        database::Call call{
            .name = search.name.c_str(), .sql = search.sql.c_str(), .parameters = {request_id}};
        if (account) {
            call.parameters.emplace_back(account->import_supplier);
            call.parameters.emplace_back(account->external_account_number);
        }
        database.transaction(
            [&] {
                database.execute_script("SET LOCAL statement_timeout = '30min'", deadline);
                const database::Rows rows = database.execute(call, deadline);
                for (std::size_t row = 0; row < rows.size(); ++row)
                    found.push_back(read_records(search.kind, rows, row));
            },
            deadline);
    }
    return found;
}

}  // namespace data_import::store
