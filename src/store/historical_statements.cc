#include "store/historical_statements.h"

#include <array>

namespace data_import::store {

namespace {

enum Column : std::size_t { request, verdict, differing };

using enum util::ElementType;

// in the order of data_import.historical_statements_import
constexpr std::array statement_types = {text, date, date, date, text, numeric, text, text, boolean, uuid};
constexpr ImportFunction function{"import_historical_statements",
                                  "SELECT request, verdict, differing FROM "
                                  "data_import.historical_statements_import($1, $2, $3, $4, $5, $6, $7, $8, "
                                  "$9, $10, $11, $12, $13, $14, $15, $16)"};

}  // namespace

Import import_historical_statements(const ImportTarget& target,
                                    const std::vector<HistoricalStatement>& statements) {
    Import import(function, target);
    RowSet& rows = import.rows.emplace_back(statement_types);
    for (const HistoricalStatement& sent : statements) {
        rows.add(1, {sent.statement_id, sent.bill_period_from_date, sent.bill_period_to_date,
                     sent.issued_date, sent.number, sent.gross_amount, sent.statement_path, sent.supply_type,
                     truth_of(sent.is_annulled), sent.content_digest});
    }
    return import;
}

HistoricalStatementsImported read_imported_historical_statements(const database::Rows& rows) {
    HistoricalStatementsImported imported;
    imported.verdict = read_import_verdict(rows);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, Column::differing)) continue;
        imported.differing.push_back(static_cast<std::size_t>(rows.integer(row, Column::differing)));
    }
    return imported;
}

}  // namespace data_import::store
