// The valid API keys, the suppliers that they may work for, and the decision on requests for tokens
// (contract, sections 6.1, 6.2 and 7).
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

/// A valid key. A revoked key is in no table.
struct ApiKeyAccess {
    std::string id;
    std::string organisation;
    std::set<std::string, std::less<>> import_suppliers;  ///< all of them exist
};

/// The keys by id. An entry may outlive its table, so that a request keeps the rights that it was admitted
/// with.
using AccessTable = std::unordered_map<std::string, std::shared_ptr<const ApiKeyAccess>>;

[[nodiscard]] database::Call load_access();
/// Loads the same of one key.
[[nodiscard]] database::Call load_access_of(const std::string& api_key_id);
[[nodiscard]] AccessTable read_access(const database::Rows& rows);

/// Notes that these keys were used today (UTC).
[[nodiscard]] database::Call note_api_key_use(const std::vector<std::string>& api_key_ids);

/// The credentials that a client shows for a token. If both are empty, they cannot be valid.
struct TokenRequest {
    std::string address_block;  ///< block of the client's address: see auth::address_block
    std::optional<std::string> key_sha256_hex = {};
    std::optional<std::string> api_key_id = {};  ///< named by a valid refresh token
};

/// The rules for all requests for tokens.
struct TokenRules {
    std::size_t most_refused_in_a_minute;  ///< refusals per address
    std::chrono::seconds reuse;            ///< a key that asks again within this time gets the same tokens
};

struct TokenVerdict {
    /// The time for which the address gets no tokens, except for a valid key: it was refused too often.
    /// Nothing: it was not.
    std::optional<std::chrono::seconds> wait;
    std::optional<std::string> api_key_id;  ///< id of the valid key; nothing: refused
    std::string organisation = {};          ///< organisation of the valid key
    std::chrono::sys_seconds
        tokens_issued_at;  ///< issue time of the valid key's tokens: now, or an earlier request
};

/// Decides and counts in one transaction, with the same work for every outcome until the address has been
/// refused too often. Also notes that the key was used today. `now` is by this host's clock.
[[nodiscard]] database::Call request_token(const TokenRequest& request, const TokenRules& rules,
                                           std::chrono::sys_seconds now);
[[nodiscard]] TokenVerdict read_token_verdict(const database::Rows& rows);

}  // namespace data_import::store
