#include "forged_token.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <ctime>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "base/util/crypto.h"
#include "world.h"

namespace data_import::tests {

namespace {

std::string hmac(const EVP_MD* digest, const std::string& secret, const std::string& text) {
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned length = 0;
    HMAC(digest, secret.data(), static_cast<int>(secret.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), bytes, &length);
    return {reinterpret_cast<const char*>(bytes), length};
}

void replace_all(std::string& text, const std::string& part, const std::string& replacement) {
    for (std::size_t place = 0; (place = text.find(part, place)) != std::string::npos;) {
        text.replace(place, part.size(), replacement);
        place += replacement.size();
    }
}

}  // namespace

std::filesystem::path keys_directory(const Stack& stack) {
    std::istringstream lines(run_ctl(stack, "config show"));
    for (std::string line; std::getline(lines, line);) {
        if (line.rfind("keys_directory = ", 0) == 0) return line.substr(17);
    }
    throw std::runtime_error("`config show` does not tell keys_directory");
}

Forge::Forge(const Stack& stack, std::string api_key_id)
    : key_(keys::KeyRing::load(keys_directory(stack)).signing_key()), api_key_id_(std::move(api_key_id)) {}

std::string Forge::filled(std::string text) const {
    replace_all(text, "{kid}", key_.kid);
    replace_all(text, "{sub}", api_key_id_);
    static const std::regex moved_now(R"(\{now([+-]\d+)?\})");
    for (std::smatch found; std::regex_search(text, found, moved_now);) {
        const long shift = found[1].matched ? std::stol(found[1]) : 0;
        text = found.prefix().str() + std::to_string(std::time(nullptr) + shift) + found.suffix().str();
    }
    return text;
}

std::string Forge::token(const std::string& head, const std::string& claims, Signer signer) const {
    const std::string text = util::to_base64url(filled(head)) + '.' + util::to_base64url(filled(claims));
    const auto with = [&](const EVP_MD* digest, const std::string& secret) {
        return text + '.' + util::to_base64url(hmac(digest, secret, text));
    };
    switch (signer) {
        case Signer::ring:
            return with(EVP_sha256(), key_.secret);
        case Signer::other_key:
            return with(EVP_sha256(), std::string(32, 'x'));
        case Signer::no_key:
            return with(EVP_sha256(), "");
        case Signer::kid:
            return with(EVP_sha256(), key_.kid);
        case Signer::sha384:
            return with(EVP_sha384(), key_.secret);
        case Signer::sha512:
            return with(EVP_sha512(), key_.secret);
        case Signer::nobody:
            break;
    }
    return text + '.';
}

}  // namespace data_import::tests
