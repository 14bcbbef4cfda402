#include "store/historical_statements.h"
#include "util/array_text.h"

namespace data_import::store {

database::Call import_historical_statements(const ImportTarget& target,
                                            const HistoricalStatements& statements) {
    util::ArrayText digests;
    for (const std::string& digest : statements.content_digests) digests.add(digest);
    return {.name = "import_historical_statements",
            .sql =
                "SELECT verdict, differing FROM data_import.historical_statements_import("
                "data_import.account_key($1, $2), $1, $3, $4, $5, $6)",
            .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                           std::string(target.request_id), std::string(target.api_key_id), statements.json,
                           digests.take()}};
}

HistoricalStatementsImported read_imported_historical_statements(const database::Rows& rows) {
    HistoricalStatementsImported imported;
    imported.verdict = parse_import_verdict(rows.text(0, 0));
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (rows.is_null(row, 1)) continue;
        imported.differing.push_back(static_cast<std::size_t>(rows.integer(row, 1)));
    }
    return imported;
}

}  // namespace data_import::store
