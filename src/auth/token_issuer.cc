#include "auth/token_issuer.h"

namespace data_import::auth {

IssuedTokens TokenIssuer::issue(std::string_view api_key_id) {
    const KeyRing& ring = ring_.ring();
    return {
        .token = issue_token(ring, api_key_id, options_.token_lifetime),
        .expires_in = options_.token_lifetime,
        .refresh_token = issue_token(ring, api_key_id, options_.refresh_token_lifetime, TokenUse::refresh),
        .refresh_expires_in = options_.refresh_token_lifetime};
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
