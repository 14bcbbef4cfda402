#include "auth/authenticator.h"

#include <strings.h>

#include "util/log.h"

namespace data_import::auth {

namespace {

using std::chrono::seconds;

constexpr std::size_t max_seen_tokens = 10000;
constexpr seconds ring_reload_pause{1};  // between two looks into the directory for an unknown kid
constexpr std::chrono::milliseconds unknown_key_pause{50};  // between two looks into the database for an unknown API key

[[noreturn]] void deny(Denial denial, std::string detail) {
    throw Denied{denial, std::move(detail)};
}

/// The token in a header value: what follows the scheme, or all of it.
std::string_view token_in(std::string_view header) {
    const std::size_t blank = header.find(' ');
    if (blank == std::string_view::npos) return header;
    const std::string scheme(header.substr(0, blank));
    if (strcasecmp(scheme.c_str(), "token") != 0 && strcasecmp(scheme.c_str(), "bearer") != 0) {
        deny(Denial::authentication_failed,
             "The Authorization header is \"Token <token>\" or \"Bearer <token>\".");
    }
    const std::size_t start = header.find_first_not_of(' ', blank);
    return start == std::string_view::npos ? std::string_view() : header.substr(start);
}

}  // namespace

Authenticator::Authenticator(std::filesystem::path keys_directory, seconds refresh)
    : keys_directory_(std::move(keys_directory)), refresh_(refresh) {}

const store::ApiKeyAccess& Authenticator::authenticate(const std::optional<std::string>& authorization,
                                                       store::Database& database, store::Deadline deadline) {
    if (!authorization)
        deny(Denial::not_authenticated, "The request has no Authorization header with a token.");
    const TokenClaims claims = claims_of(token_in(*authorization));
    const auto age = [&] { return access_loaded_ ? Clock::now() - *access_loaded_ : Clock::duration::max(); };
    if (age() >= refresh_) refresh_access(database, deadline);
    auto found = access_.find(claims.api_key_id);
    if (found == access_.end() && age() >= unknown_key_pause) {  // made a moment ago, perhaps
        refresh_access(database, deadline);
        found = access_.find(claims.api_key_id);
    }
    if (found == access_.end())
        deny(Denial::authentication_failed, "The API key of the token has been revoked.");
    return found->second;
}

TokenClaims Authenticator::claims_of(std::string_view token) {
    using std::chrono::system_clock;
    try {
        const TokenClaims claims = verify(token);
        check_time(claims, system_clock::to_time_t(system_clock::now()));
        return claims;
    } catch (const TokenRefused& refused) {
        deny(refused.expired ? Denial::token_expired : Denial::authentication_failed, refused.detail);
    }
}

TokenClaims Authenticator::verify(std::string_view token) {
    if (ring_ && Clock::now() - ring_loaded_ >= refresh_) load_ring();
    std::string text(token);
    if (const auto seen = seen_.find(text); seen != seen_.end()) return seen->second;
    const TokenClaims claims = verify_token(token, key_for(token_kid(token)));
    if (seen_.size() >= max_seen_tokens) seen_.clear();
    seen_.emplace(std::move(text), claims);
    return claims;
}

const SigningKey& Authenticator::key_for(const std::string& kid) {
    const bool may_reload = Clock::now() - ring_loaded_ >= ring_reload_pause;
    if (!ring_ || (ring_->find(kid) == nullptr && may_reload)) load_ring();
    const SigningKey* key = ring_->find(kid);
    if (key == nullptr) throw TokenRefused{false, "The token's signing key is not known here."};
    return *key;
}

// A key that was taken out of the ring takes its tokens along.
void Authenticator::load_ring() {
    ring_loaded_ = Clock::now();
    KeyRing ring = KeyRing::load(keys_directory_);
    if (ring_ && ring.keys() == ring_->keys()) return;
    ring_ = std::move(ring);
    seen_.clear();
}

// Old knowledge serves while the database is away, but no longer than the promise about revoked keys allows.
void Authenticator::refresh_access(store::Database& database, store::Deadline deadline) {
    constexpr seconds promise{10};
    try {
        access_ = store::read_access(database.execute(store::load_access(), deadline));
        access_loaded_ = Clock::now();
    } catch (const store::Unavailable& unavailable) {
        if (!access_loaded_ || Clock::now() - *access_loaded_ >= promise) throw;
        util::log(util::Severity::warning, "API keys not refreshed", {{"reason", unavailable.what()}});
    }
}

}  // namespace data_import::auth
