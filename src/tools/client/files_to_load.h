// The files that a command line means: named ones, and those in directories.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::client {

/// The files to load.
struct Files {
    std::vector<std::string> names;
    std::string passed_over;  ///< the files left out, with the reasons, in one sentence; empty for none
};

/// Replaces directories by their files, in the order of their names. Those files have an ending .ndjson,
/// .jsonl or .csv, in capitals or not, and after it .gz or .zst or nothing. Files that other programs leave
/// there are passed over, some also if they are named themselves (left_files.h). Throws std::runtime_error
/// for a directory that cannot be read or has no such file, and if nothing is left.
[[nodiscard]] Files files_of(const std::vector<std::string>& names);

/// Returns the bytes of a regular file from its present position on; nothing for any other file. Throws
/// std::runtime_error for a file that cannot be read, or is a directory.
[[nodiscard]] std::optional<std::uint64_t> file_bytes(const std::string& name);

/// Returns the same for all files together; nothing if one of them is no regular file.
[[nodiscard]] std::optional<std::uint64_t> total_bytes(const std::vector<std::string>& names);

/// Returns the name of a file's rejects in a directory: its own, without its packing.
[[nodiscard]] std::string rejects_name_of(const std::string& name);

/// Returns the name without .gz or .zst at its end, in lower case.
[[nodiscard]] std::string without_packing(std::string_view name);

}  // namespace data_import::client
