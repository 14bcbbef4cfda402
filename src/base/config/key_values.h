// Files of `key = value` lines, the form of all configuration.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/config/settings.h"

namespace data_import::config {

struct KeyValue {
    std::size_t line;  ///< from 1
    std::string key;
    std::string value;  ///< without the blanks around it; may be empty
};

/// The lines of a file in their order; blank ones and comments, which begin with `#`, are left out. Throws
/// ConfigError for a file that cannot be read, a line of another form, and a key that stands there twice.
[[nodiscard]] std::vector<KeyValue> read_key_values(const std::filesystem::path& file);

/// Throws ConfigError: `FILE:LINE: reason`, control characters in it replaced.
[[noreturn]] void refuse_line(const std::filesystem::path& file, std::size_t line, const std::string& reason);

/// Everything in a file. Throws ConfigError.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

/// `*.conf` in a folder, ordered by name, hidden ones left out; none where there is no such folder. Throws
/// ConfigError for a folder that cannot be read.
[[nodiscard]] std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory);

}  // namespace data_import::config
