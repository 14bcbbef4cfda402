// Transactions that read much from one state of the database.
#pragma once

#include <string_view>

#include "database/database.h"

namespace data_import::store {

/// Has the present transaction see one state of the database, on Citus one of each node. `settings`: further
/// statements for it; what they set for the transaction holds on the nodes, too.
void begin_snapshot(database::Database& database, std::string_view settings, database::Deadline deadline);

}  // namespace data_import::store
