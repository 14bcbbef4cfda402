// Makes tokens with the signing key of a stack: good ones, as the service makes them, and wrong ones, which
// the service must refuse.
#pragma once

#include <string>

#include "data/keys/key_ring.h"
#include "stack.h"

namespace data_import::tests {

/// The folder of the stack's signing keys.
[[nodiscard]] std::filesystem::path keys_directory(const Stack& stack);

/// The signature of a forged token.
enum class Signer {
    ring,       ///< HS256 with the stack's key, as it should be
    other_key,  ///< HS256 with another secret
    no_key,     ///< HS256 with the empty secret
    kid,        ///< HS256 with the kid as the secret
    sha384,     ///< HS384 with the stack's key
    sha512,     ///< HS512 with the stack's key
    nobody      ///< an empty signature
};

class Forge {
public:
    /// Forges tokens of the API key with this id.
    Forge(const Stack& stack, std::string api_key_id);

    /// Returns `text` with each `{kid}` replaced by the id of the stack's signing key, and each `{sub}` by
    /// the id of the API key. `{now}` is replaced by the Unix time in seconds, and `{now-60}` and the like by
    /// that time plus or minus the given seconds.
    [[nodiscard]] std::string filled(std::string text) const;
    /// Returns a token of `head` and `claims`, with the signature that `signer` names. Head and claims may be
    /// any bytes; `{kid}` and the like in them are replaced as filled() does.
    [[nodiscard]] std::string token(const std::string& head, const std::string& claims,
                                    Signer signer = Signer::ring) const;

    static constexpr const char* good_head = R"({"alg":"HS256","typ":"JWT","kid":"{kid}"})";
    static constexpr const char* good_claims =
        R"({"iss":"data-import","aud":"data-import","sub":"{sub}","iat":{now-60},"nbf":{now-90},"exp":{now+600}})";

private:
    keys::SigningKey key_;
    std::string api_key_id_;
};

}  // namespace data_import::tests
