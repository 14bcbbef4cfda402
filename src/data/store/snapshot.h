// Transactions that read much from one snapshot.
#pragma once

#include <string>
#include <string_view>

#include "data/database/database.h"

namespace data_import::store {

/// Makes the transaction read from one snapshot; on Citus, from one per node. Then executes `settings`.
/// `settings` are statements with semicolons between them; on Citus, a SET LOCAL among them takes effect on
/// the nodes, too. `snapshot` is the name of a snapshot that another session has exported with
/// export_snapshot(); empty: a new snapshot.
void begin_snapshot(database::Database& database, std::string_view settings, database::Deadline deadline,
                    std::string_view snapshot = {});

/// Returns the time when the present transaction began, as RFC 3339.
[[nodiscard]] std::string transaction_time(database::Database& database, database::Deadline deadline);

/// Exports the snapshot of the present transaction, and returns its name: other sessions may use it until
/// this transaction ends. Not possible on Citus, where each node has its own.
[[nodiscard]] std::string export_snapshot(database::Database& database, database::Deadline deadline);

}  // namespace data_import::store
