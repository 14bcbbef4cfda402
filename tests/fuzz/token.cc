// Verifies tokens. An input that begins with `{` holds a token's claims, or its head and claims on two lines;
// it is signed, so that more than the check of the signature is tested. Any other input is the token itself.
#include "data/keys/token.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

#include "base/util/crypto.h"
#include "input.h"

using namespace data_import;

namespace {

const keys::SigningKey key{"20240101T000000Z-fuzz", std::string(32, 'k')};

std::string signature(const std::string& text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    HMAC(EVP_sha256(), key.secret.data(), static_cast<int>(key.secret.size()), bytes, text.size(),
         digest.data(), &length);
    return {reinterpret_cast<const char*>(digest.data()), length};
}

std::string signed_token(std::string_view head, std::string_view claims) {
    const std::string text = util::to_base64url(head) + '.' + util::to_base64url(claims);
    return text + '.' + util::to_base64url(signature(text));
}

std::string token_of(std::string_view input) {
    if (!input.starts_with('{')) return std::string(input);
    const std::size_t end = input.find('\n');
    if (end == std::string_view::npos)
        return signed_token(R"({"alg":"HS256","typ":"JWT","kid":"20240101T000000Z-fuzz"})", input);
    return signed_token(input.substr(0, end), input.substr(end + 1));
}

void verify(const std::string& token, keys::TokenUse use) {
    try {
        const keys::TokenClaims claims = keys::verify_token(token, key, use);
        tests::require(!claims.api_key_id.empty(), "a good token names a key");
        keys::check_time(claims, 1'700'000'000);
    } catch (const keys::TokenRefused& refusal) {
        tests::require(!refusal.detail.empty(), "a refusal is explained");
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string token = token_of(tests::input_text(data, size));
    try {
        static_cast<void>(keys::token_kid(token));
    } catch (const keys::TokenRefused&) {
    }
    verify(token, keys::TokenUse::access);
    verify(token, keys::TokenUse::refresh);
    return 0;
}
