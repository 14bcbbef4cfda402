// Deciding on requests for tokens, and the limit on refused ones (decisions, sections 6 and 7).
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "store/database.h"

namespace data_import::store {

/// What a client shows in exchange for a token; both empty: something that cannot be good.
struct TokenRequest {
    std::string address_block;  ///< of the client: see auth::address_block
    std::optional<std::string> key_sha256_hex = {};
    std::optional<std::string> api_key_id = {};  ///< that a valid refresh token names
};

struct TokenVerdict {
    /// The address has been refused too often: nothing was looked into, and nothing will be for so long.
    std::optional<std::chrono::seconds> wait;
    std::optional<std::string> api_key_id;  ///< of the valid key; nothing: refused
};

/// Decides and counts in one transaction; takes the same work whatever is wrong. Also notes that the key was
/// used today.
[[nodiscard]] Call request_token(const TokenRequest& request, std::size_t most_refused_in_a_minute);
[[nodiscard]] TokenVerdict read_token_verdict(const Rows& rows);

}  // namespace data_import::store
