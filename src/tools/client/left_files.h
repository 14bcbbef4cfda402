// Files that other programs leave in directories. They are not loaded, whatever their endings are.
#pragma once

#include <optional>
#include <string_view>

namespace data_import::client {

/// Returns the kind of leftover that a file or directory of this name (without its path) is, such as
/// `temporary files`. Nothing for every other name.
[[nodiscard]] std::optional<std::string_view> origin_of_left_file(std::string_view name);

/// Returns whether a file or directory of this name is skipped even if the command line names it. Such a name
/// is not meant: it comes from a pattern such as `*.csv`.
[[nodiscard]] bool is_never_meant(std::string_view name);

}  // namespace data_import::client
