// The schema that this program works with, and the one that the database has.
#pragma once

#include <cstdint>

#include "data/database/call.h"
#include "data/database/rows.h"

namespace data_import::store {

/// The version of the last migration in sql/. The Makefile writes it.
extern const int schema_version;

[[nodiscard]] inline database::Call find_schema_version() {
    return {.name = "find_schema_version",
            .sql = "SELECT coalesce(max(version), 0) FROM data_import.schema_migration"};
}

/// Returns the version of the last migration applied; 0 for none.
[[nodiscard]] inline std::int64_t read_schema_version(const database::Rows& rows) {
    return rows.integer(0, 0);
}

}  // namespace data_import::store
