#include "data/store/historical_statements.h"

#include <string>
#include <utility>

namespace data_import::store {

namespace {

enum Column : std::size_t { request, verdict, differing, stored };

}  // namespace

Import import_historical_statements(const ImportTarget& target, std::vector<database::ArrayBinary> columns) {
    static const ImportFunction function{
        "import_historical_statements",
        import_sql("historical_statements_import", "request, verdict, differing, stored",
                   request_types.size() + 1 + columns.size())};
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
