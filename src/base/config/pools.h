// The pools of workers.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace data_import::config {

enum class PoolKind : std::size_t { import, bulk, listing, vendor, health, operators };

/// The names of the pools. Their sockets have these names, and their settings begin with them
/// (`import_workers`).
inline constexpr std::array<std::string_view, 6> pool_names{"import", "bulk",   "listing",
                                                            "vendor", "health", "operator"};

[[nodiscard]] constexpr std::size_t index_of(PoolKind pool) {
    return static_cast<std::size_t>(pool);
}

[[nodiscard]] inline std::string name_of(PoolKind pool) {
    return std::string(pool_names[index_of(pool)]);
}

}  // namespace data_import::config
