// The valid API keys, the suppliers that they may touch, and the decision on requests for tokens (contract,
// sections 6.1, 6.2 and 7).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "data/database/call.h"
#include "data/database/rows.h"

namespace data_import::store {

/// One valid key. A revoked key is simply not there.
struct ApiKeyAccess {
    std::string id;
    std::string organisation;
    std::set<std::string, std::less<>> import_suppliers;  ///< all of them exist
};

/// By id. A value outlives its table, so that a request keeps the rights that it was admitted with.
using AccessTable = std::unordered_map<std::string, std::shared_ptr<const ApiKeyAccess>>;

[[nodiscard]] database::Call load_access();
/// The same of one key.
[[nodiscard]] database::Call load_access_of(const std::string& api_key_id);
[[nodiscard]] AccessTable read_access(const database::Rows& rows);

/// Notes that these keys were used today (UTC).
[[nodiscard]] database::Call note_api_key_use(const std::vector<std::string>& api_key_ids);

/// The credentials that a client shows for a token; both empty: they cannot be valid.
struct TokenRequest {
    std::string address_block;  ///< block of the client's address: see auth::address_block
    std::optional<std::string> key_sha256_hex = {};
    std::optional<std::string> api_key_id = {};  ///< that a valid refresh token names
};

/// The rules for all requests for tokens.
struct TokenRules {
    std::size_t most_refused_in_a_minute;  ///< refusals per address
    std::chrono::seconds reuse;            ///< for which a key that asks again gets the same tokens
};

struct TokenVerdict {
    /// Refused, and the address has been refused too often before: valid keys aside, it will be for so long.
    std::optional<std::chrono::seconds> wait;
    std::optional<std::string> api_key_id;  ///< id of the valid key; nothing: refused
    std::string organisation = {};          ///< organisation of the valid key
    std::chrono::sys_seconds
        tokens_issued_at;  ///< issue time of the valid key's tokens: now, or an earlier request
};

/// Decides and counts in one transaction; its work is the same for every outcome, until the address has been
/// refused too often. Also notes that the key was used today. `now` is by this host's clock.
[[nodiscard]] database::Call request_token(const TokenRequest& request, const TokenRules& rules,
                                           std::chrono::sys_seconds now);
[[nodiscard]] TokenVerdict read_token_verdict(const database::Rows& rows);

}  // namespace data_import::store
