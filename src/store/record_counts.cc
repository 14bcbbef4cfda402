#include "store/record_counts.h"

#include <array>
#include <string>

namespace data_import::store {

namespace {

constexpr std::array tables = {RecordTable{"notes", "note"},
                               RecordTable{"transactions", "financial_transaction"},
                               RecordTable{"historical_statements", "historical_statement"},
                               RecordTable{"delivery_notes", "delivery_note"},
                               RecordTable{"energy_amounts", "energy_amount"},
                               RecordTable{"market_participant_invoices", "market_participant_invoice"},
                               RecordTable{"payment_instructions", "payment_instruction"}};

/// One column for each kind.
std::string select_counts() {
    std::string sql;
    for (const RecordTable& kind : tables) {
        sql += sql.empty() ? "SELECT " : ", ";
        ((sql += "(SELECT count(*) FROM data_import.") += kind.table) +=
            " WHERE account_key = data_import.account_key($1, $2))";
    }
    return sql;
}

}  // namespace

std::span<const RecordTable> record_tables() {
    return tables;
}

RecordCounts count_records_of_account(database::Database& database, const AccountName& account,
                                      database::Deadline deadline) {
    static const std::string sql = select_counts();
    const database::Rows rows =
        database.execute({.name = "count_records_of_account",
                          .sql = sql.c_str(),
                          .parameters = {account.import_supplier, account.external_account_number}},
                         deadline);
    RecordCounts counts;
    for (std::size_t kind = 0; kind < tables.size(); ++kind)
        counts.emplace_back(tables[kind].name, rows.integer(0, kind));
    return counts;
}

}  // namespace data_import::store
