// Tokens: JSON Web Tokens (RFC 7519) signed with HS256 by the key ring.
//
// A token names its API key and the end of its lifetime. The key's rights are looked up when the token is
// used, so a revoked key or a changed scope takes effect within the setting `access_refresh`.
//
// All tokens of an organisation under the same signing key have the same first 40 characters, which no other
// tokens have. By these characters, nginx counts the requests of each organisation without knowing the
// organisation.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "data/keys/key_ring.h"

namespace data_import::keys {

/// The use of a token. The claim `aud` names it, so that an access token is not taken for a refresh token, or
/// the other way round.
enum class TokenUse {
    access,  ///< the token admits requests for data
    refresh  ///< the token is exchanged for the next access token
};

/// The key that a token is issued to.
struct TokenHolder {
    std::string_view api_key_id;
    std::string_view organisation;
};

struct TokenClaims {
    std::string api_key_id;       ///< claim `sub`: the id of the API key
    std::int64_t issued_at = 0;   ///< claim `iat`; like the next two, seconds since the epoch
    std::int64_t not_before = 0;  ///< claim `nbf`: the first second in which the token is valid
    std::int64_t expires_at = 0;  ///< claim `exp`: the first second in which the token is refused
};

/// The reason why a token is refused. `detail` is a sentence for the client. The sentence contains no part of
/// the token.
struct TokenRefused {
    bool expired = false;  ///< the token was valid, and its time is over
    std::string detail;
};

inline constexpr std::size_t max_token_length = 4096;

/// Returns the time of the system's clock.
[[nodiscard]] std::chrono::sys_seconds present_second();

/// Returns a token for an API key, signed with KeyRing::signing_key(). The same arguments make the same token
/// as long as the same key signs.
[[nodiscard]] std::string issue_token(const KeyRing& ring, const TokenHolder& holder,
                                      std::chrono::seconds lifetime, TokenUse use = TokenUse::access,
                                      std::chrono::sys_seconds issued_at = present_second());

/// Returns the kid that the token names. Does not check the signature. Throws TokenRefused unless the token
/// has three parts, and its head is a JSON object in base64url with `alg` HS256, with a `kid`, and without
/// `crit`.
[[nodiscard]] std::string token_kid(std::string_view token);

/// Checks signature and claims, but not the time. Throws TokenRefused.
[[nodiscard]] TokenClaims verify_token(std::string_view token, const SigningKey& key,
                                       TokenUse use = TokenUse::access);

/// Throws TokenRefused if the token has expired at `now` (seconds since the epoch), or was issued more than
/// half a minute after it. Half a minute is allowed, because clocks of hosts differ.
void check_time(const TokenClaims& claims, std::int64_t now);

struct IssuerOptions {
    std::filesystem::path keys_directory = {};
    std::chrono::seconds refresh{};  ///< age at which the ring is read again from the directory
    std::chrono::seconds token_lifetime{};
    std::chrono::seconds refresh_token_lifetime{};
};

/// The tokens that a client gets for a valid API key or refresh token.
struct IssuedTokens {
    std::string token;
    std::chrono::seconds expires_in{};  ///< time for which `token` will be valid
    std::string refresh_token;
    std::chrono::seconds refresh_expires_in{};
};

/// The result of the check of a refresh token.
struct RefreshToken {
    bool expired = false;    ///< the token was valid, and its time is over
    std::string api_key_id;  ///< empty unless the token is valid; the key may have been revoked since
};

/// Issues tokens and checks refresh tokens, in one process.
class TokenIssuer {
public:
    explicit TokenIssuer(IssuerOptions options)
        : options_(std::move(options)), ring_(options_.keys_directory, options_.refresh) {}

    /// Returns the time for which an API key that asks again gets the same tokens: 10 minutes (contract,
    /// section 6.2), or, if that is less, a sixth of the shorter of the lifetimes of a token and a refresh
    /// token. Because of this reuse, a key has only a few valid tokens at any time.
    [[nodiscard]] std::chrono::seconds reuse() const;
    /// Issues tokens to `holder`. If the same key signs, calls with the same `issued_at` give the same tokens
    /// on all hosts. Throws KeyRingError.
    [[nodiscard]] IssuedTokens issue(const TokenHolder& holder,
                                     std::chrono::sys_seconds issued_at = present_second());
    /// Checks a refresh token. Returns the result of the check, also for a token that is not valid. Throws
    /// KeyRingError if there are no signing keys to check the token with.
    [[nodiscard]] RefreshToken read(std::string_view refresh_token);

private:
    IssuerOptions options_;
    CurrentRing ring_;
};

}  // namespace data_import::keys
