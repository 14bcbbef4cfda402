// How much room nginx's temporary files take. nginx removes their names at once and keeps them open, so that
// a look into the folder shows nothing.
#pragma once

#include <cstdint>
#include <filesystem>

namespace data_import::bench {

/// In bytes on the disk: what lies in `folder`, and what children of process `nginx` hold open there without
/// a name.
[[nodiscard]] std::uint64_t temporary_bytes(const std::filesystem::path& folder, int nginx);

}  // namespace data_import::bench
