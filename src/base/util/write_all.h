// Writes a whole text to a file descriptor.
#pragma once

#include <string>
#include <string_view>

namespace data_import::util {

/// Writes all of `text`. Throws std::system_error whose text begins with `problem`.
void write_all(int file, std::string_view text, const std::string& problem);

}  // namespace data_import::util
