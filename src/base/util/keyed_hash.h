// A hash of texts that clients choose.
#pragma once

#include <cstdint>
#include <string_view>

namespace data_import::util {

/// SipHash-2-4. Without the key, nobody can find texts whose hashes collide more often than by chance.
class KeyedHash {
public:
    KeyedHash(std::uint64_t first, std::uint64_t second) : first_(first), second_(second) {}

    /// Returns the hash with a random key that no other process has.
    [[nodiscard]] static const KeyedHash& of_process();

    [[nodiscard]] std::uint64_t operator()(std::string_view text) const;

private:
    std::uint64_t first_;
    std::uint64_t second_;
};

}  // namespace data_import::util
