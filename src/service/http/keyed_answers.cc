#include "service/http/keyed_answers.h"

#include <exception>

#include "base/util/log.h"
#include "base/util/readable.h"
#include "service/http/failure_answer.h"
#include "service/http/idempotency_key.h"
#include "service/http/refusal_log.h"

namespace data_import::http {

namespace {

using std::chrono::steady_clock;

bool is_in_scope(const store::KeptAnswer& kept, const store::ApiKeyAccess& access) {
    return !kept.import_supplier || access.import_suppliers.contains(*kept.import_supplier);
}

Reply replayed(const store::KeptAnswer& kept) {
    return {.status = kept.status, .body = kept.body, .headers = {{"Idempotency-Replayed", "true"}}};
}

void refuse(store::IdempotencyVerdict verdict) {
    if (verdict == store::IdempotencyVerdict::running) throw Problem{Code::request_in_progress};
    if (verdict == store::IdempotencyVerdict::reused) throw Problem{Code::idempotency_key_reused};
}

// Kept answers are not deleted early to make room for new keys, because a retry of an answered request could
// then take effect a second time.
[[noreturn]] void refuse_new_key(std::size_t most_bytes) {
    throw Problem{
        Code::throttled,
        "The answers that are kept for your organisation's Idempotency-Keys take " +
            util::size_text(most_bytes) +
            ", which is the limit: nothing was stored. Repeat the request later, when older answers "
            "have been forgotten, or send it without a key if it is an import that may be repeated.",
        {},
        {{"Retry-After", "60"}}};
}

/// Gives an Idempotency-Key back when this object ends. The database session has to hold the key.
class KeyRelease {
public:
    KeyRelease(database::Database& database, const store::IdempotencyKey& key)
        : database_(database), key_(key) {}
    KeyRelease(const KeyRelease&) = delete;
    KeyRelease& operator=(const KeyRelease&) = delete;
    /// Makes the destructor do nothing. Called when it turns out that another session holds the key.
    void forget() { is_held_ = false; }
    ~KeyRelease() {
        if (!is_held_) return;
        constexpr std::chrono::seconds patience{5};
        try {
            database_.execute(store::release_idempotency_key(key_), steady_clock::now() + patience);
        } catch (const std::exception& failure) {
            database_.drop_session();  // the end of the session gives the key back in any case
            util::log(util::Severity::warning, "an Idempotency-Key could not be released",
                      {{"reason", failure.what()}});
        }
    }

private:
    database::Database& database_;
    const store::IdempotencyKey& key_;
    bool is_held_ = true;
};

}  // namespace

CarriedOut KeyedAnswers::answer(const Context& context, const Endpoint& endpoint,
                                const std::optional<std::string>& account_key, const CarryOut& carry_out,
                                store::ClaimUntil until) {
    const std::string name = parse_idempotency_key(*context.request.idempotency_key);
    const std::string content = content_of(context.request, endpoint.query);
    const store::IdempotencyKey key{context.access->organisation, name, content};
    std::optional<KeyRelease> held;
    bool is_full = false;
    if (shard_groups_.are_there(context.deadline)) {
        held.emplace(database_, key);
        const store::IdempotencyClaim hold_of_key = hold(key, context, account_key);
        if (hold_of_key.verdict == store::IdempotencyVerdict::running) held->forget();
        refuse(hold_of_key.verdict);
        is_full = hold_of_key.is_full;
    }
    const Claimed claimed{key, context, endpoint, carry_out, until, shard_groups_.coordinator(), is_full};
    if (until == store::ClaimUntil::release) {
        const KeyRelease release(database_, key);
        return answer_claimed(claimed);
    }
    if (!held || !endpoint.import || !account_key) return answer_in_transaction(claimed);
    CarriedOut done;
    shard_groups_.at_place(*account_key, context.deadline, [&](const store::Place& place) {
        const bool is_node = place != shard_groups_.coordinator();
        done = answer_in_transaction({key, context, endpoint, carry_out, until, place, is_full,
                                      is_node ? *account_key : std::string()});
    });
    return done;
}

// Locks the Idempotency-Key on the coordinator of Citus, and returns whether the key may be used for this
// account.
//
// A claim on the node of the account is not enough, because this node does not know whether the key was used
// for an account of another node.
store::IdempotencyClaim KeyedAnswers::hold(const store::IdempotencyKey& key, const Context& context,
                                           const std::optional<std::string>& account_key) {
    return store::read_idempotency_hold(
        database_.execute(store::hold_idempotency_key(key, account_key, limits_), context.deadline));
}

// If the outcome of an attempt is unknown, the next attempt finds out by the key whether the request was
// stored.
CarriedOut KeyedAnswers::answer_in_transaction(const Claimed& claimed) {
    constexpr int most_attempts = 3;
    bool is_outcome_unknown = false;
    CarriedOut done;
    for (int attempt = 1;; ++attempt) {
        const bool is_last = attempt == most_attempts;
        try {
            claimed.place.database->transaction(
                [&] {
                    CarriedOut latest = answer_claimed(claimed);
                    // An earlier attempt in this loop may have kept this answer. `done` is the result of that
                    // attempt. A kept answer has no `refused_for` and no `differing`, but `done` has them.
                    if (latest.is_replay) {
                        latest.refused_for = std::move(done.refused_for);
                        latest.reply.differing = done.reply.differing;
                    }
                    done = std::move(latest);
                },
                claimed.context.deadline);
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

store::IdempotencyClaim KeyedAnswers::claim(const Claimed& claimed) {
    const database::Call call =
        claimed.account_key.empty()
            ? store::claim_idempotency_key(claimed.key, limits_, claimed.until)
            : store::claim_idempotency_key_at(claimed.place.schema, claimed.account_key, claimed.key,
                                              limits_.retention);
    return store::read_idempotency_claim(claimed.place.database->execute(call, claimed.context.deadline));
}

CarriedOut KeyedAnswers::answer_claimed(const Claimed& claimed) {
    const Context& context = claimed.context;
    const store::IdempotencyClaim known = claim(claimed);
    refuse(known.verdict);
    if (known.verdict == store::IdempotencyVerdict::answered) {
        if (is_in_scope(known.answer, *context.access))
            return {.reply = replayed(known.answer), .is_replay = true};
        // The API key's scope lacks the supplier, so this refuses the request. The refusal does not reveal
        // that an answer is kept.
        return claimed.carry_out(claimed.place);
    }
    if (known.is_full || claimed.is_full) refuse_new_key(limits_.bytes);
    CarriedOut done = claimed.carry_out(claimed.place);
    const auto account = named_account(&claimed.endpoint, context);
    const bool is_refusal = done.reply.status >= 300;
    if (is_refusal && !account) return done;
    store::KeptAnswer kept{.status = done.reply.status, .body = done.reply.body};
    if (account) {
        // only API keys with the supplier in their scope get the answer; it is deleted with the account
        kept.import_supplier = account->import_supplier;
        kept.account_key = store::account_key(account->import_supplier, account->external_account_number);
    }
    const std::string& request_id = context.request.request_id;
    const database::Call keep = store::keep_answer(
        known, claimed.key, kept, {claimed.until, request_id, context.access->id}, claimed.place.schema);
    database::Database& database = *claimed.place.database;
    if (claimed.until == store::ClaimUntil::end_of_transaction) {
        database.execute(keep, context.deadline);
        return done;
    }
    // The import is stored already, so its request succeeds even if the answer cannot be kept. A retry of it
    // then finds the records, though not the answer.
    try {
        database.execute(keep, context.deadline);
    } catch (const std::exception& failure) {
        util::log(util::Severity::warning, "an answer could not be kept under its Idempotency-Key",
                  {{"request_id", request_id}, {"reason", logged_reason(failure)}});
    }
    return done;
}

}  // namespace data_import::http
