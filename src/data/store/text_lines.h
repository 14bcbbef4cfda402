// Reads lists of names that a query returns in one column, one name on each line:
// `array_to_string(names, E'\n')`. Names hold no line ends.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/database/rows.h"

namespace data_import::store {

/// Returns the lines of the text in the column, each of which is a name. Returns nothing if the column is
/// NULL.
[[nodiscard]] std::optional<std::vector<std::string>> read_lines(const database::Row& row,
                                                                 std::size_t column);

}  // namespace data_import::store
