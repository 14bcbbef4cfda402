// Writing to a descriptor to the end.
#pragma once

#include <string>
#include <string_view>

namespace data_import::util {

/// Writes all of it. Throws std::system_error that begins with `problem`.
void write_all(int file, std::string_view text, const std::string& problem);

}  // namespace data_import::util
