// Historical statements of accounts: table data_import.historical_statement.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/rows.h"
#include "store/import.h"

namespace data_import::store {

/// One that was checked; texts are as sent.
struct HistoricalStatement {
    std::string_view statement_id;
    std::string_view bill_period_from_date;            ///< YYYY-MM-DD
    std::string_view bill_period_to_date;              ///< YYYY-MM-DD
    std::optional<std::string_view> issued_date = {};  ///< YYYY-MM-DD
    std::optional<std::string_view> number = {};
    std::optional<std::string_view> gross_amount = {};
    std::optional<std::string_view> statement_path = {};
    std::optional<std::string_view> supply_type = {};
    std::optional<bool> is_annulled = {};
    std::string content_digest;  ///< content_digest()
};

/// Stores the statements, each statement_id once, that the account does not have yet; none at all when the
/// account has one of them with other content. Safe to repeat.
[[nodiscard]] Import import_historical_statements(const ImportTarget& target,
                                                  const std::vector<HistoricalStatement>& statements);

/// What became of the request; everything is stored when the verdict is `done` and `differing` is empty.
struct HistoricalStatementsImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    std::vector<std::size_t> differing;  ///< places in the request of those with other content, in order
};
[[nodiscard]] HistoricalStatementsImported read_imported_historical_statements(const database::Rows& rows);

}  // namespace data_import::store
