// The room that nginx's temporary files take. nginx removes their names at once and keeps them open, so that
// a listing of the folder shows nothing.
#pragma once

#include <cstdint>
#include <filesystem>

namespace data_import::bench {

/// Bytes on the disk: files in `folder`, and files without a name there that children of process `nginx` hold
/// open.
[[nodiscard]] std::uint64_t temporary_bytes(const std::filesystem::path& folder, int nginx);

}  // namespace data_import::bench
