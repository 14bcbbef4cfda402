// Historical statements of accounts: table data_import.historical_statement.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "database/call.h"
#include "database/rows.h"
#include "store/import.h"

namespace data_import::store {

/// Statements as sent, all checked, each statement_id once.
struct HistoricalStatements {
    std::string json;  ///< a JSON array of objects with the fields of specification 2.8
    std::vector<std::string> content_digests;  ///< of each one in the same order: content_digest()
};

/// Stores the statements that the account does not have yet; none at all when the account has one of them
/// with other content. Safe to repeat.
[[nodiscard]] database::Call import_historical_statements(const ImportTarget& target,
                                                          const HistoricalStatements& statements);

/// What became of the request; everything is stored when the verdict is `done` and `differing` is empty.
struct HistoricalStatementsImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    std::vector<std::size_t> differing;  ///< places in the request of those with other content, in order
};
[[nodiscard]] HistoricalStatementsImported read_imported_historical_statements(const database::Rows& rows);

}  // namespace data_import::store
