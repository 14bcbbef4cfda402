// Issues tokens, and takes refresh tokens back (contract, section 6.2).
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "auth/current_ring.h"
#include "auth/token.h"

namespace data_import::auth {

struct IssuerOptions {
    std::filesystem::path keys_directory = {};
    std::chrono::seconds refresh{};  ///< how old knowledge of the signing keys may get
    std::chrono::seconds token_lifetime{};
    std::chrono::seconds refresh_token_lifetime{};
};

/// The tokens that a client gets for a valid API key or refresh token.
struct IssuedTokens {
    std::string token;
    std::chrono::seconds expires_in{};  ///< rest of its lifetime
    std::string refresh_token;
    std::chrono::seconds refresh_expires_in{};
};

/// The result of the check of a refresh token.
struct RefreshToken {
    bool expired = false;    ///< it was good once
    std::string api_key_id;  ///< empty unless the token is valid; the database knows whether the key still is
};

/// One process's issuer.
class TokenIssuer {
public:
    explicit TokenIssuer(IssuerOptions options)
        : options_(std::move(options)), ring_(options_.keys_directory, options_.refresh) {}

    /// The time for which a key that asks again gets the same tokens, so that few of them are alive: 10
    /// minutes (contract, section 6.2), or a sixth of a shorter lifetime, so that most of it is always left.
    [[nodiscard]] std::chrono::seconds reuse() const;
    /// The same tokens for the same time of issue, on all hosts, as long as the same key signs. Throws
    /// KeyRingError.
    [[nodiscard]] IssuedTokens issue(const TokenHolder& holder,
                                     std::chrono::sys_seconds issued_at = present_second());
    /// Throws KeyRingError.
    [[nodiscard]] RefreshToken read(std::string_view refresh_token);

private:
    IssuerOptions options_;
    CurrentRing ring_;
};

}  // namespace data_import::auth
