#include "store/schema_version.h"

namespace data_import::store {

database::Call find_schema_version() {
    return {.name = "find_schema_version",
            .sql = "SELECT coalesce(max(version), 0) FROM data_import.schema_migration"};
}

std::int64_t read_schema_version(const database::Rows& rows) {
    return rows.integer(0, 0);
}

}  // namespace data_import::store
