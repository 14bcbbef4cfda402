// The schema on several machines: Citus spreads the accounts' tables over its workers.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "database/database.h"

namespace data_import::store {

/// The database cannot be distributed; `what()` is a sentence that says what to do.
class DistributionError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

struct DistributedTable {
    std::string name;
    bool is_per_account = false;  ///< spread by account_key; else copied to every worker
    bool is_new = false;          ///< distributed now; else it was before
};

/// Distributes what is not yet, all or nothing, and tells of every table that is distributed then. `begin` is
/// called with each that is to be. Whoever imports meanwhile waits. Throws DistributionError where the
/// extension citus is not there, this is not its coordinator, or a worker is missing or cannot be used.
[[nodiscard]] std::vector<DistributedTable> distribute(
    database::Database& database, const std::function<void(const std::string& table)>& begin,
    database::Deadline deadline);

}  // namespace data_import::store
