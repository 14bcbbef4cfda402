#include "data/store/idempotency_keys.h"

#include <stdexcept>

#include "base/util/crypto.h"

namespace data_import::store {

namespace {

std::string seconds_text(std::chrono::seconds duration) {
    return std::to_string(duration.count()) + " seconds";
}

std::string bytea_text(std::string_view bytes) {
    return "\\x" + util::to_hex(bytes);
}

IdempotencyVerdict parse_verdict(std::string_view text) {
    if (text == "first") return IdempotencyVerdict::first;
    if (text == "answered") return IdempotencyVerdict::answered;
    if (text == "running") return IdempotencyVerdict::running;
    if (text == "reused") return IdempotencyVerdict::reused;
    throw std::logic_error("unknown verdict on an Idempotency-Key: " + std::string(text));
}

}  // namespace

database::Call claim_idempotency_key(const IdempotencyKey& key, const KeptAnswerLimits& limits,
                                     ClaimUntil until) {
    return {.name = "claim_idempotency_key",
            .sql =
                "SELECT verdict, import_supplier, status, body, claimed_at, "
                "data_import.are_kept_answers_full($1, $6) "
                "FROM data_import.idempotency_key_claim($1, $2, $3, $4, $5)",
            .parameters = {std::string(key.organisation), std::string(key.key), bytea_text(key.content),
                           seconds_text(limits.retention), until == ClaimUntil::release ? "t" : "f",
                           std::to_string(limits.bytes)}};
}

database::Call claim_idempotency_key_at(std::string_view schema, std::string_view account_key,
                                        const IdempotencyKey& key, std::chrono::seconds retention) {
    database::Call call{
        .name = "claim_idempotency_key_at",
        .sql =
            "SELECT verdict, import_supplier, status, body, claimed_at, false "
            "FROM data_import.idempotency_key_claim_at($1, $2, $3, $4, $5)",
        .parameters = {std::string(account_key), std::string(key.organisation), std::string(key.key),
                       bytea_text(key.content), seconds_text(retention)}};
    call_in(schema, call);
    return call;
}

// Not retryable: a retry in the same session would take the lock twice.
database::Call hold_idempotency_key(const IdempotencyKey& key, const std::optional<std::string>& account_key,
                                    const KeptAnswerLimits& limits) {
    return {.name = "hold_idempotency_key",
            .sql =
                "SELECT data_import.idempotency_key_hold($1, $2, $3, $4), "
                "data_import.are_kept_answers_full($1, $5)",
            .parameters = {std::string(key.organisation), std::string(key.key), account_key,
                           seconds_text(limits.retention), std::to_string(limits.bytes)},
            .retryable = false};
}

IdempotencyClaim read_idempotency_hold(const database::Rows& rows) {
    return {.verdict = parse_verdict(rows.text(0, 0)), .is_full = rows.boolean(0, 1), .claimed_at = {}};
}

IdempotencyClaim read_idempotency_claim(const database::Rows& rows) {
    IdempotencyClaim claim{.verdict = parse_verdict(rows.text(0, 0)),
                           .is_full = rows.boolean(0, 5),
                           .claimed_at = std::string(rows.text(0, 4))};
    if (claim.verdict != IdempotencyVerdict::answered) return claim;
    claim.answer = {.import_supplier = rows.optional_text(0, 1),
                    .status = static_cast<int>(rows.integer(0, 2)),
                    .body = std::string(rows.text(0, 3))};
    return claim;
}

database::Call release_idempotency_key(const IdempotencyKey& key) {
    return {.name = "release_idempotency_key",
            .sql = "SELECT pg_catalog.pg_advisory_unlock(data_import.idempotency_key_lock($1, $2))",
            .parameters = {std::string(key.organisation), std::string(key.key)}};
}

database::Call keep_answer(const IdempotencyClaim& claim, const IdempotencyKey& key, const KeptAnswer& answer,
                           const KeyedRequest& request, std::string_view schema) {
    database::Call call{
        .name = "keep_answer",
        .sql = "SELECT data_import.idempotency_key_keep($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        .parameters = {std::string(key.organisation), std::string(key.key), bytea_text(key.content),
                       answer.import_supplier, answer.account_key, std::to_string(answer.status), answer.body,
                       std::string(request.request_id), std::string(request.api_key_id), claim.claimed_at,
                       request.claimed_until == ClaimUntil::release ? "t" : "f"}};
    call_in(schema, call);
    return call;
}

}  // namespace data_import::store
