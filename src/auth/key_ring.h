// The ring of keys that sign tokens: one file per key, `KID.key`, holding 256 random bits as base64url.
//
// The newest key signs; all of them verify, so that a key can be replaced without refusing the tokens of the
// one before. A kid begins with the UTC time of its creation, so that names sort by age.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::auth {

struct SigningKey {
    std::string kid;
    std::string secret;  ///< 32 bytes

    bool operator==(const SigningKey&) const = default;
};

/// A key file cannot be used, or there is none; `what()` names the file and says what to do.
class KeyRingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

class KeyRing {
public:
    /// Reads all `*.key` files of a directory. A file that is open to others, or writable by the group, or
    /// holds no key is left out and logged. Throws KeyRingError when no key is left.
    [[nodiscard]] static KeyRing load(const std::filesystem::path& directory);

    /// Makes a new key file, mode 0640, which signs from now on; the directory's group may read it. Answers
    /// its kid.
    static std::string create_key(const std::filesystem::path& directory);

    /// The key with this kid, or nothing.
    [[nodiscard]] const SigningKey* find(std::string_view kid) const;
    /// The newest key.
    [[nodiscard]] const SigningKey& signing_key() const { return keys_.back(); }
    /// All keys, oldest first.
    [[nodiscard]] const std::vector<SigningKey>& keys() const { return keys_; }

private:
    std::vector<SigningKey> keys_;
};

}  // namespace data_import::auth
