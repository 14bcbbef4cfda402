// Files of `key = value` lines, the form of all configuration.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/config/settings.h"

namespace data_import::config {

struct KeyValue {
    std::size_t line;  ///< number of the line in the file, from 1
    std::string key;
    std::string value;  ///< the value without the blanks around it; may be empty
};

/// Reads the lines of a file in their order. Leaves out blank lines and comments, which begin with `#`.
/// Throws ConfigError for a file that cannot be read, a line of another form, and a key that comes twice.
[[nodiscard]] std::vector<KeyValue> read_key_values(const std::filesystem::path& file);

/// Throws ConfigError: `FILE:LINE: reason`, with control characters replaced.
[[noreturn]] void refuse_line(const std::filesystem::path& file, std::size_t line, const std::string& reason);

/// Reads a whole file. Throws ConfigError.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

/// Lists the files `*.conf` in a folder in the order of their names, without hidden ones; none if there is no
/// such folder. Throws ConfigError for a folder that cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory);

}  // namespace data_import::config
