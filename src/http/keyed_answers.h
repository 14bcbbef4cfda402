// Requests that are answered once, however often they come: those with an Idempotency-Key (contract,
// section 9.2).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "database/database.h"
#include "http/endpoint.h"
#include "store/idempotency_keys.h"

namespace data_import::http {

/// The outcome of a request.
struct CarriedOut {
    Reply reply;
    std::optional<std::string> import_supplier = {};  ///< the answer is for nobody without it in the scope
    std::optional<std::string> account_key = {};  ///< the account that takes the answer along when it goes
    std::optional<Problem> refused_for = {};      ///< of a refusal that is kept
    bool is_replay = false;                       ///< the answer was kept before
};

/// Carries a request out that is not known yet. Throws what is not to be kept. It may be called again, when
/// what it stored has been lost: only the last call counts.
using CarryOut = std::function<CarriedOut()>;

/// One worker's view of the answers that are kept under keys.
class KeyedAnswers {
public:
    KeyedAnswers(database::Database& database, std::chrono::seconds retention)
        : database_(database), retention_(retention) {}

    /// The answer to a request that has the header: the kept one, or that of `carry_out`. A refusal is kept
    /// if it names an account that exists. With a claim until the end of the transaction, import, claim and
    /// kept answer are one transaction, which is repeated if its outcome is unknown. With a claim until its
    /// release, no transaction is open while the request is carried out. Throws the Problems
    /// request_in_progress and idempotency_key_reused, a validation_error for a header that holds no key, and
    /// what `carry_out` and the database throw.
    [[nodiscard]] CarriedOut answer(const Context& context, const Endpoint& endpoint,
                                    const CarryOut& carry_out, store::ClaimUntil claim);

private:
    CarriedOut answer_in_transaction(const store::IdempotencyKey& key, const Context& context,
                                     const CarryOut& carry_out);
    CarriedOut answer_claimed(const store::IdempotencyKey& key, const Context& context,
                              const CarryOut& carry_out, store::ClaimUntil claim);

    database::Database& database_;
    std::chrono::seconds retention_;
};

}  // namespace data_import::http
