// The disk space that nginx's temporary files take. nginx removes their names at once and keeps the files
// open, so that a listing of the folder does not show them.
#pragma once

#include <cstdint>
#include <filesystem>

namespace data_import::bench {

/// Returns the bytes on the disk of the files in `folder`, and of those that children of process `nginx` hold
/// open after their names in `folder` were removed.
[[nodiscard]] std::uint64_t temporary_bytes(const std::filesystem::path& folder, int nginx);

}  // namespace data_import::bench
