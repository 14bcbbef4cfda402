// The schema that this program works with.
#pragma once

namespace data_import::store {

/// The version of the last migration in sql/; a unit test compares the two.
inline constexpr int schema_version = 27;

}  // namespace data_import::store
