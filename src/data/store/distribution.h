// The schema on several machines: Citus spreads the tables of accounts over its workers.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/database/database.h"

namespace data_import::store {

/// The database cannot be distributed. `what()` is a sentence that says what to do.
class DistributionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct DistributedTable {
    std::string name;
    bool is_per_account = false;  ///< distributed by account_key; if false, each node of Citus has a copy
    bool is_new = false;          ///< distributed by this call; if false, by an earlier one
};

/// Returns whether any table is distributed over several servers. If so, no snapshot covers all rows.
[[nodiscard]] bool is_distributed(database::Database& database, database::Deadline deadline);
/// Returns whether tables are distributed, and distribute() has not come to its end since the last migration.
[[nodiscard]] bool needs_distribution(database::Database& database, database::Deadline deadline);

/// Distributes all tables that are not distributed yet, or none if that fails. Then makes the import
/// functions of the shard groups, or makes them anew (sql/schema/33-shard-groups.sql). Returns every table
/// that is distributed at the end. Imports wait while the tables are distributed. Calls `begin` with the name
/// of each stage. Throws DistributionError if the extension citus is missing, if `database` is not on the
/// coordinator of Citus, if Citus has no worker, or if a worker cannot be used.
[[nodiscard]] std::vector<DistributedTable> distribute(
    database::Database& database, const std::function<void(const std::string& step)>& begin,
    database::Deadline deadline);

}  // namespace data_import::store
