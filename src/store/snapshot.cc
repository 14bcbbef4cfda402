#include "store/snapshot.h"

#include <string>

namespace data_import::store {

// Citus opens one session to each node: several would not have the same snapshot. PostgreSQL without Citus
// takes no notice of settings that begin with its name.
void begin_snapshot(database::Database& database, std::string_view settings, database::Deadline deadline) {
    std::string statements =
        "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; SET LOCAL citus.propagate_set_commands = 'local'; "
        "SET LOCAL citus.max_adaptive_executor_pool_size = 1; ";
    database.execute_script(statements += settings, deadline);
}

}  // namespace data_import::store
