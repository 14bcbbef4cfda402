// Historical statements of accounts: table data_import.historical_statement.
#pragma once

#include <cstddef>
#include <vector>

#include "data/database/array_binary.h"
#include "data/database/rows.h"
#include "data/store/import.h"

namespace data_import::store {

/// Stores the statements that the account does not have yet, each statement_id once. Stores none if the
/// account has one of these statement_ids with other content. `columns` has a column for each field that
/// payload::historical_statement() declares, in their order, then a column of digests of the content. Safe to
/// retry.
[[nodiscard]] Import import_historical_statements(const ImportTarget& target,
                                                  std::vector<database::ArrayBinary> columns);

/// The outcome of the request. Everything is stored if the verdict is `done` and `differing` is empty.
struct HistoricalStatementsImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    /// The statements that the account has with other content, as places in the request: from 0, in ascending
    /// order.
    std::vector<std::size_t> differing;
    std::size_t stored = 0;  ///< number of statements that were added
};
[[nodiscard]] HistoricalStatementsImported read_imported_historical_statements(const database::Rows& rows);

}  // namespace data_import::store
