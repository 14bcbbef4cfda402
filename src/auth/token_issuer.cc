#include "auth/token_issuer.h"

#include <algorithm>

namespace data_import::auth {

std::chrono::seconds TokenIssuer::reuse() const {
    constexpr std::chrono::seconds longest{600};
    return std::min(longest, std::min(options_.token_lifetime, options_.refresh_token_lifetime) / 6);
}

IssuedTokens TokenIssuer::issue(const TokenHolder& holder, std::chrono::sys_seconds issued_at) {
    const KeyRing& ring = ring_.ring();
    const std::chrono::seconds age = present_second() - issued_at;
    return {.token = issue_token(ring, holder, options_.token_lifetime, TokenUse::access, issued_at),
            .expires_in = options_.token_lifetime - age,
            .refresh_token =
                issue_token(ring, holder, options_.refresh_token_lifetime, TokenUse::refresh, issued_at),
            .refresh_expires_in = options_.refresh_token_lifetime - age};
}

RefreshToken TokenIssuer::read(std::string_view refresh_token) {
    using std::chrono::system_clock;
    try {
        const SigningKey* key = ring_.find(token_kid(refresh_token));
        if (key == nullptr) return {};
        const TokenClaims claims = verify_token(refresh_token, *key, TokenUse::refresh);
        check_time(claims, system_clock::to_time_t(system_clock::now()));
        return {.api_key_id = claims.api_key_id};
    } catch (const TokenRefused& refused) {
        return {.expired = refused.expired, .api_key_id = {}};
    }
}

}  // namespace data_import::auth
