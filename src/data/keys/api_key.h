// API keys of organisations (contract, section 6.2).
#pragma once

#include <string>
#include <string_view>

namespace data_import::keys {

/// A new key: 256 random bits. `text` is shown once; only `sha256_hex` is stored.
struct NewApiKey {
    std::string text;  ///< `dik_` and 43 characters of base64url
    /// SHA-256 of `text`, in hexadecimal digits.
    std::string sha256_hex;
};

[[nodiscard]] NewApiKey generate_api_key();

/// Returns whether the text is an API key and not a token: it begins with `dik_`.
[[nodiscard]] bool is_api_key(std::string_view text);

/// Returns the digest of an API key by which the database finds the key.
[[nodiscard]] std::string api_key_digest(std::string_view text);

}  // namespace data_import::keys
