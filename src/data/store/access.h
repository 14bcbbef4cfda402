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

/// A valid key. Revoked keys are in no AccessTable.
struct ApiKeyAccess {
    std::string id;
    std::string organisation;
    /// Codes of the suppliers that the key may import for; each of them exists.
    std::set<std::string, std::less<>> import_suppliers;
};

/// The valid keys by id. Entries are shared: a request keeps the rights that it was admitted with, even if
/// another table replaces this one meanwhile.
using AccessTable = std::unordered_map<std::string, std::shared_ptr<const ApiKeyAccess>>;

[[nodiscard]] database::Call load_access();
/// Loads one key. The call returns no rows if there is no such key, or it is revoked.
[[nodiscard]] database::Call load_access_of(const std::string& api_key_id);
[[nodiscard]] AccessTable read_access(const database::Rows& rows);

/// Stores that these keys were used today (UTC).
[[nodiscard]] database::Call note_api_key_use(const std::vector<std::string>& api_key_ids);

/// The credentials in a request for a token: the digest of an API key, or the id of the key that a valid
/// refresh token names. A request whose refresh token is not valid has neither of the two, and is refused.
struct TokenRequest {
    std::string address_block;  ///< result of auth::address_block() for the client's address
    std::optional<std::string> key_sha256_hex = {};
    std::optional<std::string> api_key_id = {};  ///< id of the key that a valid refresh token names
};

/// The rules for all requests for tokens.
struct TokenRules {
    /// The number of refusals within a minute after which an address block has to wait.
    std::size_t most_refused_in_a_minute;
    std::chrono::seconds reuse;  ///< a key that asks again within this time gets the same tokens
};

struct TokenVerdict {
    /// The time that the client has to wait, because its address block was refused too often in the last
    /// minute. Nothing: the client need not wait. A client with a valid key never waits.
    std::optional<std::chrono::seconds> wait;
    std::optional<std::string> api_key_id;  ///< id of the valid key; nothing: the request is refused
    std::string organisation = {};  ///< organisation that owns the valid key; empty: the request is refused
    /// Time of issue of the tokens that a client with a valid key gets: `now` of request_token() or, if the
    /// key had tokens issued less than TokenRules::reuse ago, the time of issue of these earlier tokens.
    std::chrono::sys_seconds tokens_issued_at;
};

/// Decides on a request for a token and counts it, in one transaction. Also notes that a valid key was used
/// today. `now` is the time of this host's clock.
///
/// A refusal does the same work as a success, so that its duration tells nothing about the key. Only an
/// address that was refused too often is answered sooner.
[[nodiscard]] database::Call request_token(const TokenRequest& request, const TokenRules& rules,
                                           std::chrono::sys_seconds now);
[[nodiscard]] TokenVerdict read_token_verdict(const database::Rows& rows);

}  // namespace data_import::store
