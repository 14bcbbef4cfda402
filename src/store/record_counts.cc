#include "store/record_counts.h"

#include <array>

namespace data_import::store {

namespace {

struct Kind {
    std::string_view name;
    std::string_view table;  ///< with account_key; one row for each record
};

constexpr std::array kinds = {Kind{"notes", "note"},
                              Kind{"transactions", "financial_transaction"},
                              Kind{"historical_statements", "historical_statement"},
                              Kind{"delivery_notes", "delivery_note"},
                              Kind{"energy_amounts", "energy_amount"},
                              Kind{"market_participant_invoices", "market_participant_invoice"}};

/// One column for each kind, of its rows that `condition` chooses.
std::string select_counts(std::string_view condition) {
    std::string sql;
    for (const Kind& kind : kinds) {
        sql += sql.empty() ? "SELECT " : ", ";
        ((sql += "(SELECT count(*) FROM data_import.") += kind.table) += " AS record ";
        (sql += condition) += ')';
    }
    return sql;
}

RecordCounts read_counts(const Rows& rows) {
    RecordCounts counts;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind)
        counts.emplace_back(kinds[kind].name, rows.integer(0, kind));
    return counts;
}

}  // namespace

RecordCounts count_records_of_account(Database& database, const AccountName& account, Deadline deadline) {
    static const std::string sql =
        select_counts("WHERE record.account_key = data_import.account_key($1, $2)");
    return read_counts(
        database.execute({.name = "count_records_of_account",
                          .sql = sql.c_str(),
                          .parameters = {account.import_supplier, account.external_account_number}},
                         deadline));
}

RecordCounts count_records_of_supplier(Database& database, const std::string& code, Deadline deadline) {
    static const std::string sql =
        select_counts("JOIN data_import.account USING (account_key) WHERE account.import_supplier = $1");
    return read_counts(database.execute(
        {.name = "count_records_of_supplier", .sql = sql.c_str(), .parameters = {code}}, deadline));
}

}  // namespace data_import::store
