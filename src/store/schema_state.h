// Whether the database is ready for this program.
#pragma once

#include "store/database.h"

namespace data_import::store {

[[nodiscard]] Call find_schema_version();
/// Version of the last migration applied; 0 for none.
[[nodiscard]] std::int64_t read_schema_version(const Rows& rows);

}  // namespace data_import::store
