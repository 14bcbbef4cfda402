// The sender of a request, and the accounts that it may touch: the check of the Authorization header
// (contract, section 6.2).
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "data/database/database.h"
#include "data/keys/key_ring.h"
#include "data/keys/token.h"
#include "data/store/access.h"

namespace data_import::auth {

enum class Denial { not_authenticated, authentication_failed, token_expired };

/// Thrown if the request is to be answered 401. `detail` is a sentence for the client.
struct Denied {
    Denial denial;
    std::string detail;
};

/// The sender of a request with a valid token.
struct Sender {
    std::shared_ptr<const store::ApiKeyAccess> access;  ///< the token's API key with its scope
    std::int64_t token_expires_at = 0;                  ///< Unix time at which the token expires, in seconds
};

/// The signing keys, API keys and verified tokens that one worker remembers. API keys and signing keys are
/// read again when they were read longer than `refresh` ago. Until then, a revoked API key or a removed
/// signing key still works. An API key that the worker does not remember is looked up at once, with a query
/// for this key alone, so that a new key works immediately.
class Authenticator {
public:
    Authenticator(std::filesystem::path keys_directory, std::chrono::seconds refresh);

    /// Returns the sender whose token is in `Token X`, `Bearer X` or the bare token X. Throws Denied,
    /// KeyRingError, and the exceptions of Database::execute if an API key has to be read.
    Sender authenticate(const std::optional<std::string>& authorization, database::Database& database,
                        database::Deadline deadline);

    /// Returns whether the next request has to wait until the API keys are read again.
    [[nodiscard]] bool is_due() const { return age_of_access() >= refresh_; }

    /// Stores which API keys requests have used, for each key at most once a day. Also reads the API keys
    /// again if a reading will soon be due, so that no request has to wait for the reading. Called between
    /// requests, about once a second. Throws nothing.
    void tick(database::Database& database) noexcept;

private:
    using Clock = std::chrono::steady_clock;

    /// Makes it possible to search by a view, so that a token that was seen before is not copied.
    struct TextHash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    using SeenTokens = std::unordered_map<std::string, keys::TokenClaims, TextHash, std::equal_to<>>;

    const keys::TokenClaims& claims_of(std::string_view token, std::int64_t now);
    const keys::TokenClaims& verify(std::string_view token);
    /// Returns what the API key may do; null if no valid key has this id.
    std::shared_ptr<const store::ApiKeyAccess> access_of(const std::string& api_key_id,
                                                         database::Database& database,
                                                         database::Deadline deadline);
    [[nodiscard]] Clock::duration age_of_access() const;
    void refresh_access(database::Database& database, database::Deadline deadline);
    void note_use(const std::string& api_key_id, std::int64_t now);
    void report_use(database::Database& database, database::Deadline deadline);

    keys::CurrentRing ring_;
    std::chrono::seconds refresh_;
    SeenTokens seen_;              ///< verified tokens
    std::uint64_t seen_with_ = 0;  ///< generation of the key ring that verified the tokens of `seen_`
    store::AccessTable access_;
    /// The ids of API keys that were not in `access_`, were looked up one by one, and turned out not to be
    /// valid. Emptied when `access_` is read again.
    std::unordered_set<std::string> without_access_;
    std::optional<Clock::time_point> access_loaded_;
    bool access_used_ = false;              ///< `access_` was used since it was read
    std::int64_t day_ = 0;                  ///< day of the uses in `used_`: number of days since 1970-01-01
    std::unordered_set<std::string> used_;  ///< ids of the keys used on `day_`
    std::vector<std::string> unreported_;   ///< ids of keys whose use on `day_` is not stored yet
};

/// Returns the token in the value of an Authorization header. If the value begins with the scheme `Token` or
/// `Bearer`, in capitals or not, the rest of the value is the token. This token is empty if nothing follows
/// the scheme. A value without a blank and without such a scheme is the token itself. Returns nothing for any
/// other scheme. The token is not checked.
[[nodiscard]] std::optional<std::string_view> token_in(std::string_view header);

}  // namespace data_import::auth
