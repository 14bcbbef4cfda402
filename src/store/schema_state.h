// Whether the database is ready for this program.
#pragma once

#include <cstdint>

#include "database/call.h"
#include "database/rows.h"

namespace data_import::store {

[[nodiscard]] database::Call find_schema_version();
/// Version of the last migration applied; 0 for none.
[[nodiscard]] std::int64_t read_schema_version(const database::Rows& rows);

}  // namespace data_import::store
