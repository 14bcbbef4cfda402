// The files to load: the ones that the command line names, and the ones in directories that it names.
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

/// Returns the files that `names` lead to, with each directory replaced by its files in the order of their
/// names. From a directory, takes only files with the ending .ndjson, .jsonl or .csv. The ending may have
/// capitals, and .gz or .zst after it. Skips files that other programs leave behind, some of them even if
/// they are named (left_files.h). Throws std::runtime_error if a directory cannot be read or has no file to
/// load. Throws it, too, if a file is named twice, or if nothing is left.
[[nodiscard]] Files files_of(const std::vector<std::string>& names);

/// Returns the number of bytes of a regular file. `-` is standard input, whose bytes are counted from its
/// current position on. Returns nothing for a pipe, a terminal or a device. Throws std::runtime_error for a
/// file that cannot be read, or is a directory.
[[nodiscard]] std::optional<std::uint64_t> file_bytes(const std::string& name);

/// Returns the sum of file_bytes() of all files; nothing if one of them is no regular file.
[[nodiscard]] std::optional<std::uint64_t> total_bytes(const std::vector<std::string>& names);

/// Returns the name that the rejects of this file have in a directory of rejects: the name of the file
/// without .gz or .zst; `standard-input` for `-`.
[[nodiscard]] std::string rejects_name_of(const std::string& name);

/// Returns the name without .gz or .zst at its end, in lower case.
[[nodiscard]] std::string without_packing(std::string_view name);

}  // namespace data_import::client
