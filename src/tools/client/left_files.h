// Files that other programs leave in directories, and that are no part of a book whatever their endings say.
#pragma once

#include <optional>
#include <string_view>

namespace data_import::client {

/// Why a file or directory of this name (without its path) was left there: `lock files of Office`. Nothing
/// for every other name.
[[nodiscard]] std::optional<std::string_view> origin_of_left_file(std::string_view name);

/// Whether nobody can mean a file or directory of this name, so that it is skipped although it is named
/// itself, as a shell does for `*.csv`.
[[nodiscard]] bool is_never_meant(std::string_view name);

}  // namespace data_import::client
