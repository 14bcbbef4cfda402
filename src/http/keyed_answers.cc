#include "http/keyed_answers.h"

#include <exception>

#include "http/failure_answer.h"
#include "http/idempotency_key.h"
#include "util/log.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

bool is_in_scope(const store::KeptAnswer& kept, const store::ApiKeyAccess& access) {
    return !kept.import_supplier || access.import_suppliers.contains(*kept.import_supplier);
}

Reply repeated(const store::KeptAnswer& kept) {
    return {.status = kept.status, .body = kept.body, .headers = {{"Idempotency-Replayed", "true"}}};
}

/// Gives a key back that the session holds.
class KeyRelease {
public:
    KeyRelease(database::Database& database, const store::IdempotencyKey& key)
        : database_(database), key_(key) {}
    KeyRelease(const KeyRelease&) = delete;
    KeyRelease& operator=(const KeyRelease&) = delete;
    ~KeyRelease() {
        constexpr std::chrono::seconds patience{5};
        try {
            database_.execute(store::release_idempotency_key(key_), steady_clock::now() + patience);
        } catch (const std::exception& failure) {
            database_.drop_session();  // gives it back in any case
            util::log(util::Severity::warning, "an Idempotency-Key could not be released",
                      {{"reason", failure.what()}});
        }
    }

private:
    database::Database& database_;
    const store::IdempotencyKey& key_;
};

}  // namespace

CarriedOut KeyedAnswers::answer(const Context& context, const Endpoint& endpoint, const CarryOut& carry_out,
                                store::ClaimUntil claim) {
    const std::string name = parse_idempotency_key(*context.request.idempotency_key);
    const std::string content = content_of(context.request, endpoint.query);
    const store::IdempotencyKey key{context.access->organisation, name, content};
    if (claim == store::ClaimUntil::end_of_transaction) return answer_in_transaction(key, context, carry_out);
    const KeyRelease release(database_, key);
    return answer_claimed(key, context, carry_out, claim);
}

// After an attempt with an unknown outcome, the next one learns it from the key.
CarriedOut KeyedAnswers::answer_in_transaction(const store::IdempotencyKey& key, const Context& context,
                                               const CarryOut& carry_out) {
    constexpr int most_attempts = 3;
    bool is_outcome_unknown = false;
    CarriedOut done;
    for (int attempt = 1;; ++attempt) {
        const bool is_last = attempt == most_attempts;
        try {
            database_.transaction(
                [&] {
                    CarriedOut latest =
                        answer_claimed(key, context, carry_out, store::ClaimUntil::end_of_transaction);
                    if (latest.is_replay) {  // of an earlier attempt, if its outcome was unknown
                        latest.refused_for = std::move(done.refused_for);
                        latest.reply.differing = done.reply.differing;
                    }
                    done = std::move(latest);
                },
                context.deadline);
            return done;
        } catch (const database::OutcomeUnknown&) {
            if (is_last) throw;
            is_outcome_unknown = true;
        } catch (const database::Unavailable& away) {
            if (is_last && is_outcome_unknown) throw database::UnavailableOutcomeUnknown(away.what());
            if (is_last) throw;
        } catch (const database::Refused& refused) {
            if (is_last || refused.sqlstate() != "40001") throw;
        }
    }
}

CarriedOut KeyedAnswers::answer_claimed(const store::IdempotencyKey& key, const Context& context,
                                        const CarryOut& carry_out, store::ClaimUntil until) {
    const store::IdempotencyClaim claim = store::read_idempotency_claim(
        database_.execute(store::claim_idempotency_key(key, retention_, until), context.deadline));
    switch (claim.verdict) {
        case store::IdempotencyVerdict::running:
            throw Problem{Code::request_in_progress};
        case store::IdempotencyVerdict::reused:
            throw Problem{Code::idempotency_key_reused};
        case store::IdempotencyVerdict::answered:
            if (is_in_scope(claim.answer, *context.access))
                return {.reply = repeated(claim.answer), .is_replay = true};
            return carry_out();  // which refuses it, and does not tell that an answer is kept
        case store::IdempotencyVerdict::first:
            break;
    }
    CarriedOut done = carry_out();
    const bool is_refusal = done.reply.status >= 300;
    if (is_refusal && !done.account_key) return done;
    const store::KeptAnswer kept{done.import_supplier, done.account_key, done.reply.status, done.reply.body};
    const std::string& request_id = context.request.request_id;
    const database::Call keep = store::keep_answer(claim, key, kept, {until, request_id, context.access->id});
    if (until == store::ClaimUntil::end_of_transaction) {
        database_.execute(keep, context.deadline);
        return done;
    }
    // the import is stored already, and a repeat finds it there without the answer
    try {
        database_.execute(keep, context.deadline);
    } catch (const std::exception& failure) {
        util::log(util::Severity::warning, "an answer could not be kept under its Idempotency-Key",
                  {{"request_id", request_id}, {"reason", logged_reason(failure)}});
    }
    return done;
}

}  // namespace data_import::http
