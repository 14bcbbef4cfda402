#include "service/auth/authenticator.h"

#include <strings.h>

#include <algorithm>

#include "base/util/log.h"
#include "data/keys/api_key.h"

namespace data_import::auth {

namespace {

using std::chrono::seconds;

constexpr std::size_t max_seen_tokens = 10000;
constexpr seconds tick_limit{2};  // time limit of the work between requests
// The API keys are read again between requests when `early` or less is left until a request would have to
// wait for the reading.
constexpr seconds early{2};

bool is_scheme(std::string_view word, std::string_view scheme) {
    return word.size() == scheme.size() && strncasecmp(word.data(), scheme.data(), word.size()) == 0;
}

[[noreturn]] void deny(Denial denial, std::string detail) {
    throw Denied{denial, std::move(detail)};
}

std::string_view token_or_deny(std::string_view header) {
    const auto token = token_in(header);
    if (token && keys::is_api_key(*token)) {
        deny(Denial::authentication_failed,
             "This is an API key: obtain a token first, with the mutation obtainToken at /v1/graphql/, and "
             "send that.");
    }
    if (token && token->empty()) {
        deny(Denial::not_authenticated,
             "There is no token behind `" + std::string(header.substr(0, header.find(' '))) + "`.");
    }
    if (token) return *token;
    deny(Denial::authentication_failed,
         "The Authorization header is \"Token <token>\" or \"Bearer <token>\".");
}

std::int64_t seconds_since_epoch() {
    using std::chrono::system_clock;
    return system_clock::to_time_t(system_clock::now());
}

}  // namespace

Authenticator::Authenticator(std::filesystem::path keys_directory, seconds refresh)
    : ring_(std::move(keys_directory), refresh), refresh_(refresh) {}

Sender Authenticator::authenticate(const std::optional<std::string>& authorization,
                                   database::Database& database, database::Deadline deadline) {
    if (!authorization)
        deny(Denial::not_authenticated, "The request has no Authorization header with a token.");
    const std::int64_t now = seconds_since_epoch();
    const keys::TokenClaims& claims = claims_of(token_or_deny(*authorization), now);
    if (is_due()) refresh_access(database, deadline);
    auto access = access_of(claims.api_key_id, database, deadline);
    if (!access) deny(Denial::authentication_failed, "The API key of the token has been revoked.");
    access_used_ = true;
    note_use(access->id, now);
    return {std::move(access), claims.expires_at};
}

// Looks up an API key that is not in `access_` with a query for this key alone, because the key may have been
// made since `access_` was read. Clients cannot flood the database with such queries: only keys of this
// installation have valid tokens, and a revoked key is looked up only once until all keys are read again.
std::shared_ptr<const store::ApiKeyAccess> Authenticator::access_of(const std::string& api_key_id,
                                                                    database::Database& database,
                                                                    database::Deadline deadline) {
    if (const auto known = access_.find(api_key_id); known != access_.end()) return known->second;
    if (without_access_.contains(api_key_id)) return nullptr;
    store::AccessTable found =
        store::read_access(database.execute(store::load_access_of(api_key_id), deadline));
    if (found.empty()) {
        without_access_.insert(api_key_id);
        return nullptr;
    }
    return access_.insert(std::move(*found.begin())).first->second;
}

void Authenticator::tick(database::Database& database) noexcept {
    try {
        const auto deadline = Clock::now() + tick_limit;
        if (!unreported_.empty()) report_use(database, deadline);
        if (access_used_ && age_of_access() + early >= refresh_) refresh_access(database, deadline);
    } catch (const std::exception& failure) {
        // If the database cannot be reached, requests will report it.
        util::log(util::Severity::debug, "work between requests has failed", {{"reason", failure.what()}});
    }
}

const keys::TokenClaims& Authenticator::claims_of(std::string_view token, std::int64_t now) {
    try {
        const keys::TokenClaims& claims = verify(token);
        keys::check_time(claims, now);
        return claims;
    } catch (const keys::TokenRefused& refused) {
        deny(refused.expired ? Denial::token_expired : Denial::authentication_failed, refused.detail);
    }
}

const keys::TokenClaims& Authenticator::verify(std::string_view token) {
    ring_.ring();
    if (seen_with_ != ring_.generation()) seen_.clear();  // a removed signing key invalidates its tokens
    seen_with_ = ring_.generation();
    if (const auto seen = seen_.find(token); seen != seen_.end()) return seen->second;
    const keys::SigningKey* key = ring_.find(keys::token_kid(token));
    if (key == nullptr) throw keys::TokenRefused{false, "The token's signing key is unknown here."};
    keys::TokenClaims claims = keys::verify_token(token, *key);
    if (seen_.size() >= max_seen_tokens) seen_.clear();
    return seen_.emplace(token, std::move(claims)).first->second;
}

Authenticator::Clock::duration Authenticator::age_of_access() const {
    return access_loaded_ ? Clock::now() - *access_loaded_ : Clock::duration::max() / 2;
}

// Reads all API keys again. If the database cannot be reached, keeps the keys that were read last. Throws
// Unavailable once they are ten seconds old, because a revoked key is promised to stop working within that
// time. Their age counts from the beginning of the query, because the answer may lack changes that were made
// later.
void Authenticator::refresh_access(database::Database& database, database::Deadline deadline) {
    constexpr seconds promise{10};
    const auto asked = Clock::now();
    try {
        access_ = store::read_access(database.execute(store::load_access(), deadline));
        without_access_.clear();
        access_loaded_ = asked;
        access_used_ = false;
    } catch (const database::Unavailable& unavailable) {
        if (age_of_access() >= promise) throw;
        util::log(util::Severity::warning, "API keys could not be refreshed",
                  {{"reason", unavailable.what()}});
    }
}

void Authenticator::note_use(const std::string& api_key_id, std::int64_t now) {
    constexpr std::int64_t seconds_of_day = 86400;
    if (const std::int64_t day = now / seconds_of_day; day != day_) {
        day_ = day;
        used_.clear();
    }
    if (used_.insert(api_key_id).second) unreported_.push_back(api_key_id);
}

// If the database refuses a report of used API keys, the report is dropped: otherwise it would be sent and
// refused every second.
void Authenticator::report_use(database::Database& database, database::Deadline deadline) {
    try {
        database.execute(store::note_api_key_use(unreported_), deadline);
    } catch (const database::Refused& refused) {
        util::log(util::Severity::error, "the use of API keys cannot be stored",
                  {{"sqlstate", refused.sqlstate()}});
    }
    unreported_.clear();
}

std::optional<std::string_view> token_in(std::string_view header) {
    const std::size_t blank = std::min(header.find(' '), header.size());
    const std::string_view scheme = header.substr(0, blank);
    const bool is_known = is_scheme(scheme, "token") || is_scheme(scheme, "bearer");
    if (!is_known) return blank == header.size() ? std::optional(header) : std::nullopt;
    return header.substr(std::min(header.find_first_not_of(' ', blank), header.size()));
}

}  // namespace data_import::auth
