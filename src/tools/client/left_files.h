// Files that other programs leave in directories, and that do not belong to a book, whatever their endings
// are.
#pragma once

#include <optional>
#include <string_view>

namespace data_import::client {

/// Says what has left a file or directory of this name (without its path) there: `lock files of Office`.
/// Nothing for every other name.
[[nodiscard]] std::optional<std::string_view> origin_of_left_file(std::string_view name);

/// Returns whether nobody can mean a file or directory of this name. It is skipped even if it is named, as a
/// shell does for `*.csv`.
[[nodiscard]] bool is_never_meant(std::string_view name);

}  // namespace data_import::client
