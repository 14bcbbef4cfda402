#include "data/keys/token.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>

#include "base/util/crypto.h"
#include "base/util/whole_number.h"
#include "data/json/reader.h"
#include "data/json/writer.h"

namespace data_import::keys {

namespace {

constexpr std::string_view algorithm = "HS256";
constexpr std::string_view issuer = "data-import";
constexpr std::string_view access_audience = "data-import";
constexpr std::string_view refresh_audience = "data-import-refresh";
constexpr std::int64_t clock_difference = 30;  // seconds by which clocks of hosts may differ

std::string_view audience_of(TokenUse use) {
    return use == TokenUse::access ? access_audience : refresh_audience;
}

[[noreturn]] void refuse(std::string detail) {
    throw TokenRefused{false, std::move(detail)};
}

std::string signature(std::string_view signed_part, const std::string& secret) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(signed_part.data());
    if (HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()), bytes, signed_part.size(),
             digest.data(), &length) == nullptr) {
        throw std::runtime_error("HMAC-SHA-256 failed");
    }
    return {reinterpret_cast<const char*>(digest.data()), length};
}

struct Parts {
    std::string_view head;
    std::string_view claims;
    std::string_view signature;
    std::string_view signed_part;  // the part that is signed: head and claims with the dot between
};

Parts split(std::string_view token) {
    const std::size_t first = token.find('.');
    const std::size_t last = token.rfind('.');
    if (token.size() > max_token_length || first == std::string_view::npos || first == last ||
        token.find('.', first + 1) != last) {
        refuse("The token is not of the form that this service issues.");
    }
    return {token.substr(0, first), token.substr(first + 1, last - first - 1), token.substr(last + 1),
            token.substr(0, last)};
}

json::Document read_part(std::string_view part) {
    const std::optional<std::string> text = util::from_base64url(part);
    if (!text) refuse("The token is not base64url.");
    try {
        json::Document document = json::read(*text);
        if (document.root().is(json::Type::object)) return document;
    } catch (const json::SyntaxError&) {
        // A part that is not JSON is refused below, like a part that is not an object.
    }
    refuse("The token does not hold JSON objects.");
}

std::string_view text_claim(const json::Value& object, std::string_view name) {
    const std::optional<json::Value> claim = object.find(name);
    if (!claim || !claim->is(json::Type::string))
        refuse("The token lacks the text " + std::string(name) + ".");
    return claim->text();
}

std::int64_t time_claim(const json::Value& object, std::string_view name) {
    const std::optional<json::Value> claim = object.find(name);
    if (claim && claim->is(json::Type::number)) {
        if (const auto seconds = util::whole_number<std::int64_t>(claim->text())) return *seconds;
    }
    refuse("The token lacks the time " + std::string(name) + ".");
}

/// Returns the API key's number from the claim `sub`. Refuses it unless it has the form that issue_token
/// writes, because the database takes no other form.
std::string key_claim(const json::Value& object) {
    constexpr std::size_t most_digits = 18;
    const std::string_view text = text_claim(object, "sub");
    const bool is_number = !text.empty() && text.size() <= most_digits && text.front() != '0' &&
                           text.find_first_not_of("0123456789") == std::string_view::npos;
    if (!is_number) refuse("The token names no API key.");
    return std::string(text);
}

/// Returns a code that stands for the organisation, and that nobody can compute for another one.
std::string mark_of(std::string_view organisation, const SigningKey& key) {
    constexpr std::size_t bytes = 16;
    return util::to_base64url(
        signature("organisation " + std::string(organisation), key.secret).substr(0, bytes));
}

/// Returns the head of a token. All tokens of the organisation under this key begin with the same 40
/// characters.
///
/// These characters are the base64url of the 30 bytes at the start of the head: `{"org":"` and the 22
/// characters of the organisation's mark. So `org` has to be the first member.
std::string head_of(const SigningKey& key, std::string_view organisation) {
    json::Writer writer;
    writer.begin_object().key("org").string(mark_of(organisation, key)).key("alg").string(algorithm);
    writer.key("typ").string("JWT").key("kid").string(key.kid).end_object();
    return writer.take();
}

}  // namespace

std::chrono::sys_seconds present_second() {
    return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string issue_token(const KeyRing& ring, const TokenHolder& holder, std::chrono::seconds lifetime,
                        TokenUse use, std::chrono::sys_seconds issued_at) {
    const std::int64_t issued = issued_at.time_since_epoch().count();
    json::Writer claims;
    claims.begin_object();
    claims.key("iss").string(issuer).key("aud").string(audience_of(use)).key("sub").string(holder.api_key_id);
    claims.key("iat").integer(issued).key("nbf").integer(issued - clock_difference);
    claims.key("exp").integer(issued + lifetime.count()).end_object();
    const SigningKey& key = ring.signing_key();
    const std::string signed_part =
        util::to_base64url(head_of(key, holder.organisation)) + '.' + util::to_base64url(claims.text());
    return signed_part + '.' + util::to_base64url(signature(signed_part, key.secret));
}

std::string token_kid(std::string_view token) {
    const json::Document head = read_part(split(token).head);
    if (text_claim(head.root(), "alg") != algorithm) refuse("The token is not signed with HS256.");
    if (head.root().find("crit"))
        refuse("The token has critical extensions, which this service does not know.");
    return std::string(text_claim(head.root(), "kid"));
}

TokenClaims verify_token(std::string_view token, const SigningKey& key, TokenUse use) {
    const Parts parts = split(token);
    const std::optional<std::string> sent = util::from_base64url(parts.signature);
    if (!sent || !util::equal_in_constant_time(*sent, signature(parts.signed_part, key.secret))) {
        refuse("The token's signature is wrong.");
    }
    const json::Document claims = read_part(parts.claims);
    const json::Value root = claims.root();
    if (text_claim(root, "iss") != issuer || text_claim(root, "aud") != audience_of(use)) {
        refuse("The token is not for this use of this service.");
    }
    return {.api_key_id = key_claim(root),
            .issued_at = time_claim(root, "iat"),
            .not_before = time_claim(root, "nbf"),
            .expires_at = time_claim(root, "exp")};
}

void check_time(const TokenClaims& claims, std::int64_t now) {
    if (now >= claims.expires_at) throw TokenRefused{true, "The token has expired: obtain a new one."};
    const bool from_the_future = claims.issued_at > now && claims.issued_at - now > clock_difference;
    if (now < claims.not_before || from_the_future) refuse("The token is not valid yet.");
}

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

}  // namespace data_import::keys
