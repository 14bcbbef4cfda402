// Transactions that read much from one snapshot.
#pragma once

#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::store {

/// Makes the transaction read from one snapshot; on Citus, from one per node. `settings` are further
/// statements; what they set for the transaction holds on the nodes, too. `snapshot` is one that another
/// session shares; empty: a new one.
void begin_snapshot(database::Database& database, std::string_view settings, database::Deadline deadline,
                    std::string_view snapshot = {});

/// Returns the time when the present transaction began, as RFC 3339.
[[nodiscard]] std::string transaction_time(database::Database& database, database::Deadline deadline);

/// Exports the snapshot of the present transaction to other sessions until it ends. Not possible on Citus,
/// where each node has its own.
[[nodiscard]] std::string export_snapshot(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store
