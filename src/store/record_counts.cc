#include "store/record_counts.h"

#include <array>
#include <string>

namespace data_import::store {

namespace {

constexpr std::array<std::string_view, 5> amounts_by_type = {
    "amount:CHARGE", "amount:CREDIT", "amount:PAYMENT", "amount:REPAYMENT", "amount:SUPPLY_CHARGE"};
constexpr std::array<std::string_view, 1> of_statements = {"gross_amount"};
constexpr std::array<std::string_view, 1> of_delivery_notes = {"amounts"};
constexpr std::array<std::string_view, 2> of_invoices = {"amount_total", "line_items"};

constexpr std::array tables = {
    RecordTable{"notes", "note"},
    RecordTable{"transactions", "financial_transaction", amounts_by_type},
    RecordTable{"historical_statements", "historical_statement", of_statements},
    RecordTable{"delivery_notes", "delivery_note", of_delivery_notes, true},
    RecordTable{"energy_amounts", "energy_amount", {}, true},
    RecordTable{"market_participant_invoices", "market_participant_invoice", of_invoices},
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
