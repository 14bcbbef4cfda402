// Digests, random bytes and their text forms, made with libcrypto.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace data_import::util {

using Sha256 = std::array<unsigned char, 32>;

/// Returns the SHA-256 of the bytes. Throws std::runtime_error if libcrypto cannot compute it.
[[nodiscard]] Sha256 sha256(std::string_view bytes);

/// The SHA-256 of bytes that come in pieces.
class Sha256Sum {
public:
    /// Throws std::runtime_error if libcrypto cannot compute the digest, as add() and take() do.
    Sha256Sum();
    void add(std::string_view bytes);
    /// Returns the digest of all that was added. add() must not be called afterwards.
    [[nodiscard]] Sha256 take();

private:
    std::unique_ptr<evp_md_ctx_st, void (*)(evp_md_ctx_st*)> context_;
};

/// Returns the first 16 bytes of the SHA-256 as 32 hexadecimal digits, which PostgreSQL reads as a uuid.
[[nodiscard]] std::string uuid_digest(std::string_view bytes);

/// Returns cryptographically strong random bytes. Throws std::runtime_error if the system has none.
[[nodiscard]] std::string random_bytes(std::size_t count);

/// Compares in a time that does not depend on where the difference is. Returns false for different lengths.
[[nodiscard]] bool equal_in_constant_time(std::string_view left, std::string_view right);

/// Writes lower-case hexadecimal digits.
[[nodiscard]] std::string to_hex(std::string_view bytes);

/// Writes base64url without padding (RFC 4648, section 5).
[[nodiscard]] std::string to_base64url(std::string_view bytes);

/// Reads base64url strictly. Returns nothing if the text has padding or a character outside the alphabet, if
/// its length is impossible, or if an unused bit is not zero.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

/// Returns the bytes of a digest as a view.
[[nodiscard]] inline std::string_view bytes_of(const Sha256& digest) {
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace data_import::util
