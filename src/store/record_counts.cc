#include "store/record_counts.h"

#include <string>

#include "records/kinds.h"

namespace data_import::store {

namespace {

/// One column for each kind.
std::string select_counts() {
    std::string sql;
    for (const records::Kind& kind : records::kinds()) {
        sql += sql.empty() ? "SELECT " : ", ";
        ((sql += "(SELECT count(*) FROM data_import.") += kind.table) +=
            " WHERE account_key = data_import.account_key($1, $2))";
    }
    return sql;
}

}  // namespace

RecordCounts count_records_of_account(database::Database& database, const AccountName& account,
                                      database::Deadline deadline) {
    static const std::string sql = select_counts();
    const database::Rows rows =
        database.execute({.name = "count_records_of_account",
                          .sql = sql.c_str(),
                          .parameters = {account.import_supplier, account.external_account_number}},
                         deadline);
    RecordCounts counts;
    for (const records::Kind& kind : records::kinds())
        counts.emplace_back(kind.name, rows.integer(0, counts.size()));
    return counts;
}

}  // namespace data_import::store
