#include "data/keys/key_ring.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>

#include "base/util/crypto.h"
#include "base/util/failure.h"
#include "base/util/file_descriptor.h"
#include "base/util/log.h"
#include "base/util/secret_file.h"

namespace data_import::keys {

namespace {

constexpr std::size_t secret_bytes = 32;
constexpr std::string_view extension = ".key";
constexpr const char* make_one = "; 'data-importctl signing-key rotate' makes a key";

/// A key file exists, but cannot be read at present. So its key must not be dropped.
class Unread : public KeyRingError {
public:
    using KeyRingError::KeyRingError;
};

/// Returns whether the error means that somebody has removed the file, or the right to read it, on purpose.
/// Other errors may pass by themselves.
bool tells_of_the_file(int error) {
    return error == ENOENT || error == ENOTDIR || error == EACCES || error == EPERM || error == ELOOP;
}

[[noreturn]] void throw_unreadable(const std::filesystem::path& file, int error) {
    if (tells_of_the_file(error)) util::fail<KeyRingError>(file.string(), error);
    util::fail<Unread>(file.string(), error);
}

[[noreturn]] void throw_unreadable_directory(const std::filesystem::path& directory, int error) {
    if (error == ENOENT || error == ENOTDIR) util::fail<KeyRingError>(directory.string(), error);
    util::fail<KeyRingUnreadable>(directory.string(), error);
}

struct stat status_of_directory(const std::filesystem::path& directory) {
    struct stat status {};
    if (stat(directory.c_str(), &status) != 0) throw_unreadable_directory(directory, errno);
    return status;
}

// Refuses a directory that others can write to, because a person who can put a key into it can make tokens.
void check_directory(const std::filesystem::path& directory) {
    if ((status_of_directory(directory).st_mode & (S_IWOTH | S_IWGRP)) != 0) {
        throw KeyRingError(directory.string() + " can be written by others: chmod 0750 it");
    }
}

std::string read_line(const std::filesystem::path& file) {
    constexpr std::size_t longest = 256;
    try {
        const util::SecretFile input(file, O_NONBLOCK);
        if (input.allows(S_IRWXO | S_IWGRP))
            throw KeyRingError(file.string() + " is open to others: chmod 0640 it");
        const std::string text = input.read_up_to(longest);
        return text.substr(0, text.find('\n'));
    } catch (const std::system_error& failure) {
        throw_unreadable(file, failure.code().value());
    }
}

SigningKey read_key(const std::filesystem::path& file) {
    const std::optional<std::string> secret = util::from_base64url(read_line(file));
    if (!secret || secret->size() != secret_bytes) {
        throw KeyRingError(file.string() + " holds no signing key (43 characters of base64url)");
    }
    return {file.stem().string(), *secret};
}

std::vector<std::filesystem::path> key_files_in(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    std::filesystem::directory_iterator entry(directory, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        if (entry->path().extension() == extension) files.push_back(entry->path());
    }
    if (error) throw_unreadable_directory(directory, error.value());
    return files;
}

// Returns a kid that sorts after every kid made before, even in the same second.
std::string new_kid() {
    constexpr std::size_t random_part = 4;
    using namespace std::chrono;
    const auto present = system_clock::now();
    const std::time_t second = system_clock::to_time_t(present);
    std::tm utc{};
    gmtime_r(&second, &utc);
    char text[48];
    const std::size_t length = std::strftime(text, sizeof text, "%Y%m%dT%H%M%S", &utc);
    const auto fraction = duration_cast<microseconds>(present.time_since_epoch()).count() % 1'000'000;
    std::snprintf(text + length, sizeof text - length, ".%06dZ-", static_cast<int>(fraction));
    return text + util::to_hex(util::random_bytes(random_part));
}

// Gives the key file the group of the directory, so that the service may read it. The file gets its final
// name when it is complete.
void write_key(const std::filesystem::path& final_file, const std::string& secret, gid_t group) {
    const std::filesystem::path file = final_file.string() + ".new";
    const int number = open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0640);
    if (number < 0) util::fail<KeyRingError>(file.string() + " cannot be made");
    const util::FileDescriptor descriptor(number);
    const std::string line = util::to_base64url(secret) + '\n';
    struct stat status {};
    const bool written = fstat(number, &status) == 0 &&
                         (status.st_gid == group || fchown(number, static_cast<uid_t>(-1), group) == 0) &&
                         fchmod(number, 0640) == 0 &&
                         write(number, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                         fsync(number) == 0 && rename(file.c_str(), final_file.c_str()) == 0;
    if (written) return;
    const int error = errno;
    unlink(file.c_str());
    util::fail<KeyRingError>(file.string() + " cannot be written", error);
}

std::filesystem::path file_of(const std::filesystem::path& directory, const std::string& kid) {
    return directory / (kid + std::string(extension));
}

// An unknown key id (`kid`) makes CurrentRing::find() read the directory again, but only if the last reading
// is at least this old.
constexpr std::chrono::seconds pause{1};

}  // namespace

std::optional<std::chrono::sys_seconds> creation_time(std::string_view kid) {
    constexpr std::size_t length = 15;  // length of 20240531T083000
    const std::string text(kid.substr(0, length));
    std::tm utc{};
    const char* const end = strptime(text.c_str(), "%Y%m%dT%H%M%S", &utc);
    const bool is_time = text.size() == length && end == text.c_str() + length && kid.size() > length &&
                         (kid[length] == 'Z' || kid[length] == '.');
    if (!is_time) return std::nullopt;
    return std::chrono::sys_seconds(std::chrono::seconds(timegm(&utc)));
}

KeyRing KeyRing::load(const std::filesystem::path& directory, const KeyRing* known) {
    check_directory(directory);
    KeyRing ring;
    std::vector<std::string> refused;
    for (const std::filesystem::path& file : key_files_in(directory)) {
        try {
            ring.keys_.push_back(read_key(file));
        } catch (const Unread& unread) {
            const SigningKey* key = known == nullptr ? nullptr : known->find(file.stem().string());
            (key == nullptr ? refused : ring.unread_).push_back(unread.what());
            if (key != nullptr) ring.keys_.push_back(*key);
        } catch (const KeyRingError& unusable) {
            refused.push_back(unusable.what());
        }
    }
    if (ring.keys_.empty() && !refused.empty()) throw KeyRingError(refused.front());
    if (ring.keys_.empty()) throw KeyRingError(directory.string() + " holds no signing key" + make_one);
    for (const std::string& reason : refused) {
        util::log(util::Severity::warning, "a signing key is ignored", {{"reason", reason}});
    }
    std::sort(ring.keys_.begin(), ring.keys_.end(),
              [](const SigningKey& left, const SigningKey& right) { return left.kid < right.kid; });
    return ring;
}

SigningKey KeyRing::new_key() {
    return {new_kid(), util::random_bytes(secret_bytes)};
}

void KeyRing::store_key(const std::filesystem::path& directory, const SigningKey& key) {
    write_key(file_of(directory, key.kid), key.secret, status_of_directory(directory).st_gid);
}

void KeyRing::remove_key(const std::filesystem::path& directory, const std::string& kid) {
    const std::filesystem::path file = file_of(directory, kid);
    if (unlink(file.c_str()) != 0) util::fail<KeyRingError>(file.string() + " cannot be removed");
}

std::optional<std::chrono::sys_seconds> KeyRing::needed_until(std::string_view kid,
                                                              std::chrono::seconds longest_lifetime) const {
    const SigningKey* key = find(kid);
    if (key == nullptr || key == &keys_.back()) return std::nullopt;
    const auto replaced = creation_time((key + 1)->kid);
    if (!replaced) return std::nullopt;
    return *replaced + longest_lifetime + std::chrono::hours(24);
}

const SigningKey& KeyRing::signing_key(std::chrono::system_clock::time_point now) const {
    for (auto key = keys_.rbegin(); key != keys_.rend(); ++key) {
        const auto made = creation_time(key->kid);
        if (!made || *made + signing_delay <= now) return *key;
    }
    return keys_.front();
}

const SigningKey* KeyRing::find(std::string_view kid) const {
    const auto found =
        std::find_if(keys_.begin(), keys_.end(), [&](const SigningKey& key) { return key.kid == kid; });
    return found == keys_.end() ? nullptr : &*found;
}

const KeyRing& CurrentRing::ring() {
    if (!ring_ || Clock::now() - loaded_ >= refresh_) load();
    return *ring_;
}

const SigningKey* CurrentRing::find(std::string_view kid) {
    const SigningKey* key = ring().find(kid);
    if (key != nullptr || Clock::now() - loaded_ < pause) return key;
    load();  // the key may have been made a moment ago
    return ring_->find(kid);
}

void CurrentRing::load() {
    try {
        take(KeyRing::load(directory_, ring_ ? &*ring_ : nullptr));
    } catch (const KeyRingUnreadable& unreadable) {
        if (!ring_) throw;
        warn(unreadable.what());
    } catch (const KeyRingError&) {
        // Drops the keys. If they stayed, the branch for KeyRingUnreadable would bring them into force again
        // when a later reading fails.
        drop();
        throw;
    }
    loaded_ = Clock::now();
}

void CurrentRing::take(KeyRing ring) {
    if (!ring.unread().empty()) warn(ring.unread().front());
    if (ring_ && ring.keys() == ring_->keys()) return;
    ring_ = std::move(ring);
    ++generation_;
}

void CurrentRing::drop() {
    if (ring_) ++generation_;
    ring_.reset();
}

void CurrentRing::warn(const std::string& reason) {
    constexpr std::chrono::minutes silence{1};
    if (warned_ && Clock::now() - *warned_ < silence) return;
    warned_ = Clock::now();
    util::log(util::Severity::warning, "signing keys cannot be read, the known ones stay in force",
              {{"reason", reason}});
}

}  // namespace data_import::keys
