// The ring of keys that sign tokens. Each key is a file `KID.key`, where KID stands for the key's id (`kid`).
// The file holds 256 random bits as base64url.
//
// All keys of the ring verify tokens, so the tokens of an older key stay valid when a newer key begins to
// sign. The newest key that is at least a minute old signs new tokens, because a new key takes up to a minute
// to reach all workers and hosts. A key id begins with the UTC time at which the key was made, so the names
// of the files sort by age.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::keys {

struct SigningKey {
    std::string kid;
    std::string secret;  ///< the 32 random bytes of the key

    bool operator==(const SigningKey&) const = default;
};

/// A key file cannot be used, or there is none; `what()` names the file and says what to do.
class KeyRingError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The directory of the keys cannot be read at present. That says nothing about its keys.
class KeyRingUnreadable : public KeyRingError {
public:
    using KeyRingError::KeyRingError;
};

/// The least age of a key that signs. By then all workers and hosts know it.
inline constexpr std::chrono::seconds signing_delay{60};

/// Returns the time at which the key of this kid was made; nothing if the kid tells none.
[[nodiscard]] std::optional<std::chrono::sys_seconds> creation_time(std::string_view kid);

class KeyRing {
public:
    /// Returns the keys of all `*.key` files of a directory. Leaves out, and logs, a file that is open to
    /// others, is writable by the group, or holds no key. For a file that cannot be read at present (too many
    /// open files, an I/O error), takes the key from `known`, the ring of the last reading.
    /// Throws KeyRingUnreadable if the directory cannot be read at present. Throws KeyRingError if no key is
    /// left, or if others could put keys into the directory.
    [[nodiscard]] static KeyRing load(const std::filesystem::path& directory, const KeyRing* known = nullptr);

    /// Returns a key that sorts after all earlier ones.
    [[nodiscard]] static SigningKey new_key();
    /// Writes a key file, mode 0640, which the directory's group may read. Throws KeyRingError.
    static void store_key(const std::filesystem::path& directory, const SigningKey& key);
    /// Takes a key file away: the key's tokens are refused within seconds. Throws KeyRingError.
    static void remove_key(const std::filesystem::path& directory, const std::string& kid);

    /// Returns the key with this kid, or nothing.
    [[nodiscard]] const SigningKey* find(std::string_view kid) const;
    /// Returns the newest key that is at least `signing_delay` old; if there is none, the oldest.
    [[nodiscard]] const SigningKey& signing_key(
        std::chrono::system_clock::time_point now = std::chrono::system_clock::now()) const;
    /// Returns all keys, oldest first.
    [[nodiscard]] const std::vector<SigningKey>& keys() const { return keys_; }

    /// Returns one sentence for each key that load() has copied from `known`, because the key's file could
    /// not be read. The sentence says why.
    [[nodiscard]] const std::vector<std::string>& unread() const { return unread_; }

    /// Returns the time after which no token of the key `kid` can be valid: a day and `longest_lifetime`
    /// after the next key was made. Returns nothing for the newest key, or if the kid of the next key tells
    /// no time.
    ///
    /// The day is for the copying of the next key to all hosts, because a host signs with the older key until
    /// it has the next one.
    [[nodiscard]] std::optional<std::chrono::sys_seconds> needed_until(
        std::string_view kid, std::chrono::seconds longest_lifetime) const;

private:
    std::vector<SigningKey> keys_;
    std::vector<std::string> unread_;
};

/// The ring of a directory, kept up to date. The directory is read again when the last reading is older than
/// `refresh`, or when find() looks for a kid that the ring does not have (at most once a second). Each
/// reading drops the keys whose files are gone. While the directory cannot be read (too many open files, an
/// I/O error), the known ring stays in force, with a warning in the log at most once a minute.
class CurrentRing {
public:
    CurrentRing(std::filesystem::path directory, std::chrono::seconds refresh)
        : directory_(std::move(directory)), refresh_(refresh) {}

    /// Returns the present ring. Throws KeyRingError.
    const KeyRing& ring();
    /// Returns the key with this kid; nullptr if there is none. Throws KeyRingError.
    const SigningKey* find(std::string_view kid);
    /// Returns a number that grows whenever the keys of the ring change. Does not read the directory.
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

}  // namespace data_import::keys
