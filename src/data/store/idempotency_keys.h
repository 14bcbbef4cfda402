// Answers kept for requests that are sent again under the same Idempotency-Key (contract, section 9.2).
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/store/import.h"

namespace data_import::store {

/// A key as one organisation uses it for one request.
struct IdempotencyKey {
    std::string_view organisation;
    std::string_view key;      ///< 1 to 255 characters
    std::string_view content;  ///< SHA-256 of the request, 32 bytes
};

enum class IdempotencyVerdict {
    first,     ///< the key is new: go on, and keep the answer
    answered,  ///< the request has been answered
    running,   ///< another request has the key
    reused,    ///< the key was used for another request
};

struct KeptAnswer {
    std::optional<std::string> import_supplier = {};  ///< named by the request; it has to be in the scope
    std::optional<std::string> account_key = {};      ///< key of the account that the request named
    int status = 0;
    std::string body = {};  ///< JSON
};

struct IdempotencyClaim {
    IdempotencyVerdict verdict = IdempotencyVerdict::first;
    bool is_full = false;    ///< the organisation gets no new keys
    KeptAnswer answer = {};  ///< when `answered`
    std::string claimed_at;  ///< by PostgreSQL's clock
};

/// The limits of kept answers, in time and size.
struct KeptAnswerLimits {
    std::chrono::seconds retention{};
    std::size_t bytes = 0;  ///< of one organisation, as stored
};

/// The end of a claim.
enum class ClaimUntil { end_of_transaction, release };

/// Claims the key. A session that is lost loses its claims.
[[nodiscard]] database::Call claim_idempotency_key(const IdempotencyKey& key, const KeptAnswerLimits& limits,
                                                   ClaimUntil until);
/// Claims the key until the end of the transaction, on the node that has the request's account, by the
/// function of the account's shard group (shard_groups.h). The coordinator's hold tells whether the
/// organisation gets new keys.
[[nodiscard]] database::Call claim_idempotency_key_at(std::string_view schema, std::string_view account_key,
                                                      const IdempotencyKey& key,
                                                      std::chrono::seconds retention);

/// Locks the key on the coordinator of several nodes until `release`, and tells whether it may be used for
/// this account, or for none. The verdict is `first`, `running` or `reused`.
[[nodiscard]] database::Call hold_idempotency_key(const IdempotencyKey& key,
                                                  const std::optional<std::string>& account_key,
                                                  const KeptAnswerLimits& limits);
[[nodiscard]] IdempotencyClaim read_idempotency_hold(const database::Rows& rows);
[[nodiscard]] IdempotencyClaim read_idempotency_claim(const database::Rows& rows);

/// Ends a claim that lasts until `release`, or a hold. Does nothing if there is none.
[[nodiscard]] database::Call release_idempotency_key(const IdempotencyKey& key);

/// The request that has claimed the key.
struct KeyedRequest {
    ClaimUntil claimed_until;
    std::string_view request_id;
    std::string_view api_key_id;
};

/// Keeps the answer to the request, if the account that it names exists. If the claim ends with the
/// transaction, the answer is kept in the transaction of its records. If the claim ends with `release`, the
/// answer is kept afterwards, unless the records were removed meanwhile.
[[nodiscard]] database::Call keep_answer(const IdempotencyClaim& claim, const IdempotencyKey& key,
                                         const KeptAnswer& answer, const KeyedRequest& request,
                                         std::string_view schema = own_schema);

}  // namespace data_import::store
