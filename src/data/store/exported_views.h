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
    std::string expression;  ///< times are as the interface gives them, and arrays are JSON
    bool is_text = true;     ///< no number, boolean, day, time or identifier
};

struct ExportedView {
    std::string name;
    std::string records;       ///< the view of the records that its rows belong to; empty for the accounts
    bool has_accounts = true;  ///< only rows of accounts are exported; else all rows
    std::vector<ExportedColumn> columns = {};  ///< in the order of the view
};

/// Reads the view's columns.
void find_columns(database::Database& database, ExportedView& view, database::Deadline deadline);

/// Selects rows of a view.
struct ExportedRows {
    AccountRange accounts = {};
    std::span<const std::string> numbers = {};  ///< only these numbers of the range; empty: all of it
    std::optional<std::string> since = {};      ///< RFC 3339: only records stored at this time or later
};

/// Passes on the rows one by one: by account (by code point), record_id and position. Views are valid during
/// the call that gets them; nothing is NULL.
void read_view(database::Database& database, const ExportedView& view, const ExportedRows& wanted,
               const std::function<void(std::span<const std::optional<std::string_view>>)>& each,
               database::Deadline deadline);

}  // namespace data_import::store
