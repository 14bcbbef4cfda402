// Deciding on requests for tokens, and the limit on refused ones (contract, sections 6.1 and 7).
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "database/call.h"
#include "database/rows.h"

namespace data_import::store {

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
