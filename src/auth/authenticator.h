// Who sends a request, and what it may touch: the check of the Authorization header (decisions, section 6).
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "auth/key_ring.h"
#include "auth/token.h"
#include "store/access.h"

namespace data_import::auth {

enum class Denial { not_authenticated, authentication_failed, token_expired };

/// The request is answered 401; `detail` is a sentence for the client.
struct Denied {
    Denial denial;
    std::string detail;
};

/// One worker's knowledge of signing keys, API keys and tokens it has seen. Tokens are verified here. API
/// keys and signing keys are read again when what is known of them is older than `refresh`, which bounds how
/// long a revoked or removed key still works.
class Authenticator {
public:
    Authenticator(std::filesystem::path keys_directory, std::chrono::seconds refresh);

    /// The valid key behind `Token X`, `Bearer X` or the bare token X; the result is valid until the next
    /// call. Throws Denied, and what Database::execute throws when the API keys have to be read.
    const store::ApiKeyAccess& authenticate(const std::optional<std::string>& authorization,
                                            store::Database& database, store::Deadline deadline);

private:
    TokenClaims claims_of(std::string_view token);
    TokenClaims verify(std::string_view token);
    const SigningKey& key_for(const std::string& kid);
    void load_ring();
    void refresh_access(store::Database& database, store::Deadline deadline);

    using Clock = std::chrono::steady_clock;

    std::filesystem::path keys_directory_;
    std::chrono::seconds refresh_;
    std::optional<KeyRing> ring_;
    Clock::time_point ring_loaded_{};
    std::unordered_map<std::string, TokenClaims> seen_;  ///< verified tokens
    store::AccessTable access_;
    std::optional<Clock::time_point> access_loaded_;
};

}  // namespace data_import::auth
