#include "data/keys/api_key.h"

#include "base/util/crypto.h"

namespace data_import::keys {

namespace {

// A known prefix lets scanners find keys that were published by mistake.
constexpr std::string_view prefix = "dik_";

}  // namespace

NewApiKey generate_api_key() {
    constexpr std::size_t key_bytes = 32;
    const std::string text = std::string(prefix) + util::to_base64url(util::random_bytes(key_bytes));
    return {text, api_key_digest(text)};
}

bool is_api_key(std::string_view text) {
    return text.starts_with(prefix);
}

std::string api_key_digest(std::string_view text) {
    return util::to_hex(util::bytes_of(util::sha256(text)));
}

}  // namespace data_import::keys
