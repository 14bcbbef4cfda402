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

/// An Idempotency-Key of an organisation, with the request that came with it.
struct IdempotencyKey {
    std::string_view organisation;
    std::string_view key;      ///< 1 to 255 characters
    std::string_view content;  ///< SHA-256 of the request, 32 bytes
};

enum class IdempotencyVerdict {
    first,     ///< the key is new: go on, and keep the answer
    answered,  ///< the same request was answered before: repeat its answer
    running,   ///< another request has claimed the key and is being carried out
    reused,    ///< the key was used for a request of other content
};

struct KeptAnswer {
    /// The supplier that the request named. The answer may be repeated only to an API key that may import for
    /// this supplier.
    std::optional<std::string> import_supplier = {};
    std::optional<std::string> account_key = {};  ///< key of the account that the request named
    int status = 0;
    std::string body = {};  ///< JSON
};

struct IdempotencyClaim {
    IdempotencyVerdict verdict = IdempotencyVerdict::first;
    /// The kept answers of the organisation take all the bytes that KeptAnswerLimits::bytes allows, so the
    /// organisation may use no new keys.
    bool is_full = false;
    KeptAnswer answer = {};  ///< the kept answer; given only if the verdict is `answered`
    std::string claimed_at;  ///< time of the claim by PostgreSQL's clock
};

/// The limits of kept answers, in time and size.
struct KeptAnswerLimits {
    std::chrono::seconds retention{};
    std::size_t bytes = 0;  ///< the most bytes that the answers of one organisation may take, compressed
};

/// The event that ends a claim: the end of its transaction, or a call of release_idempotency_key().
enum class ClaimUntil { end_of_transaction, release };

/// Claims the key until the event that `until` names, or until the database session ends. A kept answer that
/// is older than KeptAnswerLimits::retention is not repeated. KeptAnswerLimits::bytes decides
/// IdempotencyClaim::is_full.
[[nodiscard]] database::Call claim_idempotency_key(const IdempotencyKey& key, const KeptAnswerLimits& limits,
                                                   ClaimUntil until);
/// Claims the key until the end of the transaction, on the node that has the account `account_key`. `schema`
/// is the PostgreSQL schema of the account's shard group (shard_groups.h). `retention` is the time for which
/// answers are kept.
///
/// The caller takes IdempotencyClaim::is_full from hold_idempotency_key(), because this call does not check
/// how many bytes the kept answers take: read_idempotency_claim() sets `is_full` to false.
[[nodiscard]] database::Call claim_idempotency_key_at(std::string_view schema, std::string_view account_key,
                                                      const IdempotencyKey& key,
                                                      std::chrono::seconds retention);

/// Locks the key on the coordinator of Citus until release_idempotency_key(). `account_key` is the key of the
/// account that the request names; nothing if it names none. The verdict is `running` if another session has
/// locked the Idempotency-Key, `reused` if an answer for another account is kept under it, and otherwise
/// `first`.
[[nodiscard]] database::Call hold_idempotency_key(const IdempotencyKey& key,
                                                  const std::optional<std::string>& account_key,
                                                  const KeptAnswerLimits& limits);
[[nodiscard]] IdempotencyClaim read_idempotency_hold(const database::Rows& rows);
[[nodiscard]] IdempotencyClaim read_idempotency_claim(const database::Rows& rows);

/// Releases one lock that this session has on the key. hold_idempotency_key() takes such a lock, and so does
/// claim_idempotency_key() with ClaimUntil::release. Does nothing if the session has no such lock.
[[nodiscard]] database::Call release_idempotency_key(const IdempotencyKey& key);

/// The request that has claimed the key, and the end of its claim.
struct KeyedRequest {
    ClaimUntil claimed_until;
    std::string_view request_id;
    std::string_view api_key_id;
};

/// Keeps the answer to the request if data_import.is_answer_to_keep allows it. For example, an answer is not
/// kept if the request names an account that does not exist. If the claim lasts until the end of the
/// transaction, the call belongs in the transaction that stores the records. If the claim lasts until
/// `release`, the call comes after that transaction. Then the answer is not kept if the records were removed
/// in between.
[[nodiscard]] database::Call keep_answer(const IdempotencyClaim& claim, const IdempotencyKey& key,
                                         const KeptAnswer& answer, const KeyedRequest& request,
                                         std::string_view schema = own_schema);

}  // namespace data_import::store
