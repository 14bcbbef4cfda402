// Answers requests with an Idempotency-Key: each is carried out once, and its retries get the kept answer
// (contract, section 9.2).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "data/database/database.h"
#include "data/store/idempotency_keys.h"
#include "data/store/shard_groups.h"
#include "service/http/endpoint.h"

namespace data_import::http {

/// The outcome of a request that was carried out, or whose answer was kept.
struct CarriedOut {
    Reply reply;
    /// The problem for which the reply refuses the request. Such a refusal may be kept as an answer. Nothing
    /// if the reply is a success, or an answer that was kept for an earlier request.
    std::optional<Problem> refused_for = {};
    bool is_replay = false;  ///< the reply is an answer that was kept before
};

/// Carries out a request for which no answer is kept. The argument names the database and the SQL functions
/// for an import. Throws a failure whose answer must not be kept. KeyedAnswers calls the function again if
/// the surrounding transaction was lost; only the last call counts.
using CarryOut = std::function<CarriedOut(const store::Place&)>;

/// Answers requests that have an Idempotency-Key, for one worker.
class KeyedAnswers {
public:
    KeyedAnswers(database::Database& database, store::ShardGroups& shard_groups,
                 store::KeptAnswerLimits limits)
        : database_(database), shard_groups_(shard_groups), limits_(limits) {}

    /// Returns the answer to a request that has the header Idempotency-Key: the kept answer or, if no answer
    /// is kept, the answer of `carry_out`. `account_key` is the key of the account that the body names;
    /// nothing if the body names none. A refusal is kept if its request names an account that exists.
    ///
    /// `claim` says when the claim on the key ends. With `end_of_transaction`, the import, the claim and the
    /// kept answer share one transaction, which is retried if its outcome is unknown. On Citus, this
    /// transaction runs on the node of the account. With `release`, no transaction is open while the request
    /// is carried out.
    ///
    /// Throws Problem `request_in_progress` if another request has claimed the key. Throws
    /// `idempotency_key_reused` if the key was used for a different request, and `validation_error` if the
    /// header holds no key. Throws `throttled` for a new key if the kept answers of the organisation have
    /// reached their limit. Throws what `carry_out` and the database throw.
    [[nodiscard]] CarriedOut answer(const Context& context, const Endpoint& endpoint,
                                    const std::optional<std::string>& account_key, const CarryOut& carry_out,
                                    store::ClaimUntil claim);

private:
    /// A request that has claimed its key, and the way to carry it out.
    struct Claimed {
        const store::IdempotencyKey& key;
        const Context& context;
        const Endpoint& endpoint;
        const CarryOut& carry_out;
        store::ClaimUntil until;
        store::Place place;
        bool is_full = false;  ///< the organisation gets no new keys: its kept answers take too much room
        /// Key of the account, if `place` is on a node of Citus; otherwise an empty text.
        std::string account_key = {};
    };

    [[nodiscard]] store::IdempotencyClaim hold(const store::IdempotencyKey& key, const Context& context,
                                               const std::optional<std::string>& account_key);
    [[nodiscard]] CarriedOut answer_in_transaction(const Claimed& claimed);
    [[nodiscard]] CarriedOut answer_claimed(const Claimed& claimed);
    [[nodiscard]] store::IdempotencyClaim claim(const Claimed& claimed);

    database::Database& database_;
    store::ShardGroups& shard_groups_;
    store::KeptAnswerLimits limits_;
};

}  // namespace data_import::http
