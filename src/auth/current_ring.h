// The key ring as it is at present, for one process.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "auth/key_ring.h"

namespace data_import::auth {

/// Reads the ring again when the last reading is older than `refresh`, and for a kid that it does not know. A
/// key whose file is gone is dropped then. While the ring cannot be read (too many open files, an I/O error)
/// the last one stays in force, with a warning in the log once in a while.
class CurrentRing {
public:
    CurrentRing(std::filesystem::path directory, std::chrono::seconds refresh)
        : directory_(std::move(directory)), refresh_(refresh) {}

    /// Throws KeyRingError.
    const KeyRing& ring();
    /// The key with this kid; nullptr where there is none. Throws KeyRingError.
    const SigningKey* find(std::string_view kid);
    /// Grows when the ring has other keys than before. Reads nothing.
    [[nodiscard]] std::uint64_t generation() const { return generation_; }

private:
    using Clock = std::chrono::steady_clock;

    void load();
    void take(KeyRing ring);
    void drop();
    void warn(const std::string& reason);

    std::filesystem::path directory_;
    std::chrono::seconds refresh_;
    std::optional<KeyRing> ring_;
    Clock::time_point loaded_{};
    std::optional<Clock::time_point> warned_;
    std::uint64_t generation_ = 0;
};

}  // namespace data_import::auth
