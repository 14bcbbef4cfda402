// Transactions that read much from one state of the database.
#pragma once

#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::store {

/// Has the present transaction see one state of the database, on Citus one of each node. `settings`: further
/// statements for it; what they set for the transaction holds on the nodes, too. `snapshot`: one that another
/// session shares; empty: a new one.
void begin_snapshot(database::Database& database, std::string_view settings, database::Deadline deadline,
                    std::string_view snapshot = {});

/// When the present transaction began, as RFC 3339.
[[nodiscard]] std::string transaction_time(database::Database& database, database::Deadline deadline);

/// Shares the snapshot of the present transaction with other sessions until it ends. Not on Citus, where
/// each node has its own.
[[nodiscard]] std::string export_snapshot(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store
