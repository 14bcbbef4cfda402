#include "store/historical_statements.h"

#include <utility>

namespace data_import::store {

namespace {

enum Column : std::size_t { request, verdict, differing, stored };

constexpr ImportFunction function{"import_historical_statements",
                                  "SELECT request, verdict, differing, stored FROM "
                                  "data_import.historical_statements_import($1, $2, $3, $4, $5, $6, $7, $8, "
                                  "$9, $10, $11, $12, $13, $14, $15)"};

}  // namespace

Import import_historical_statements(const ImportTarget& target, std::vector<util::ArrayBinary> columns) {
    Import import(function, target);
    import.rows.emplace_back(std::move(columns), 1);
    return import;
}

HistoricalStatementsImported read_imported_historical_statements(const database::Rows& rows) {
    HistoricalStatementsImported imported;
    imported.verdict = read_import_verdict(rows);
    for (std::size_t row = 0; row < rows.size(); ++row) {
        imported.stored += static_cast<std::size_t>(rows.integer(row, Column::stored));
        if (rows.is_null(row, Column::differing)) continue;
        imported.differing.push_back(static_cast<std::size_t>(rows.integer(row, Column::differing)));
    }
    return imported;
}

}  // namespace data_import::store
