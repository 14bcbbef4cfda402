// The views of the schema platform, row by row, for exports.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/store/records.h"

namespace data_import::store {

struct ExportedColumn {
    std::string name;
    /// The SQL expression that selects the value as text: a time as RFC 3339 in UTC, an array as JSON.
    std::string expression;
    /// The value is a text or an array; false for a number, boolean, date, time or UUID.
    bool is_text = true;
};

struct ExportedView {
    std::string name;
    /// Name of a view that has one row for each record: `name`, or another view if each row of `name` is an
    /// item of a list in a record. For the view `transaction_line_item`, this is `financial_transaction`.
    /// Empty for the view of accounts.
    std::string records;
    /// The rows belong to accounts, so only rows of the accounts in ExportedRows are exported. If false, all
    /// rows are exported.
    bool has_accounts = true;
    std::vector<ExportedColumn> columns = {};  ///< columns of the view, in its order
};

/// Finds the columns of the view, and stores them in `view.columns`.
void find_columns(database::Database& database, ExportedView& view, database::Deadline deadline);

/// Selects rows of a view.
struct ExportedRows {
    AccountRange accounts = {};
    /// External numbers of the accounts to read within the range; empty: all accounts of the range.
    std::span<const std::string> numbers = {};
    std::optional<std::string> since = {};  ///< RFC 3339: only records stored at this time or later
};

/// Calls `each` with the rows, one by one, ordered by external account number (by code point), record_id and
/// position. `each` gets an optional for each column, which is empty for NULL. The values are valid only
/// until `each` returns.
void read_view(database::Database& database, const ExportedView& view, const ExportedRows& wanted,
               const std::function<void(std::span<const std::optional<std::string_view>>)>& each,
               database::Deadline deadline);

}  // namespace data_import::store
