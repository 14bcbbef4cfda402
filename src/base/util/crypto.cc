#include "base/util/crypto.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <climits>
#include <cstdint>
#include <stdexcept>

namespace data_import::util {

namespace {

constexpr std::string_view base64url_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

const unsigned char* as_bytes(std::string_view text) {
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// Returns the algorithm, which is looked up once: a look-up by name in each call would take as long as the
/// digest of a short text.
const EVP_MD* fetched_sha256() {
    static const EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    return fetched;
}

void need_sha256(int result) {
    if (result != 1) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

Sha256 sha256(std::string_view bytes) {
    Sha256 digest{};
    need_sha256(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, fetched_sha256(), nullptr));
    return digest;
}

Sha256Sum::Sha256Sum() : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    need_sha256(context_ ? EVP_DigestInit_ex2(context_.get(), fetched_sha256(), nullptr) : 0);
}

void Sha256Sum::add(std::string_view bytes) {
    need_sha256(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

Sha256 Sha256Sum::take() {
    Sha256 digest{};
    need_sha256(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr));
    return digest;
}

std::string uuid_digest(std::string_view bytes) {
    return to_hex(bytes_of(sha256(bytes)).substr(0, 16));
}

std::string random_bytes(std::size_t count) {
    if (count > INT_MAX) throw std::runtime_error("too many random bytes asked for");
    std::string bytes(count, '\0');
    if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1) {
        throw std::runtime_error("the system has no random bytes");
    }
    return bytes;
}

bool equal_in_constant_time(std::string_view left, std::string_view right) {
    return left.size() == right.size() && CRYPTO_memcmp(left.data(), right.data(), left.size()) == 0;
}

std::string to_hex(std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char signed_byte : bytes) {
        const auto byte = static_cast<unsigned char>(signed_byte);
        text += digits[byte >> 4U];
        text += digits[byte & 0x0FU];
    }
    return text;
}

std::string to_base64url(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() * 4 + 2) / 3);
    std::uint32_t pending = 0;
    unsigned bits = 0;
    for (std::size_t index = 0; index < bytes.size(); ++index) {
        pending = (pending << 8U | as_bytes(bytes)[index]) & 0xFFFFU;
        for (bits += 8; bits >= 6; bits -= 6) text += base64url_alphabet[pending >> (bits - 6) & 0x3FU];
    }
    if (bits > 0) text += base64url_alphabet[pending << (6 - bits) & 0x3FU];
    return text;
}

std::optional<std::string> from_base64url(std::string_view text) {
    // A last group of one character holds no whole byte.
    if (text.size() % 4 == 1) return std::nullopt;
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t pending = 0;
    unsigned bits = 0;
    for (const char character : text) {
        const std::size_t value = base64url_alphabet.find(character);
        if (value == std::string_view::npos) return std::nullopt;
        pending = (pending << 6U | static_cast<std::uint32_t>(value)) & 0xFFFFU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes += static_cast<char>(static_cast<unsigned char>(pending >> bits & 0xFFU));
        }
    }
    if ((pending & ((1U << bits) - 1U)) != 0) return std::nullopt;
    return bytes;
}

}  // namespace data_import::util
