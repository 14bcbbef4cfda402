#include "store/token_requests.h"

namespace data_import::store {

database::Call request_token(const TokenRequest& request, const TokenRules& rules,
                             std::chrono::sys_seconds now) {
    return {
        .name = "request_token",
        .sql =
            "SELECT seconds_to_wait, api_key_id, extract(epoch FROM issued_at)::bigint, organisation "
            "FROM data_import.request_token($1::cidr, decode($2, 'hex'), $3::bigint, $4::integer, "
            "to_timestamp($5::bigint), make_interval(secs => $6::integer))",
        .parameters = {request.address_block, request.key_sha256_hex, request.api_key_id,
                       std::to_string(rules.most_refused_in_a_minute),
                       std::to_string(now.time_since_epoch().count()), std::to_string(rules.reuse.count())}};
}

TokenVerdict read_token_verdict(const database::Rows& rows) {
    TokenVerdict verdict;
    if (!rows.is_null(0, 0)) verdict.wait = std::chrono::seconds(rows.integer(0, 0));
    verdict.api_key_id = rows.optional_text(0, 1);
    if (!verdict.api_key_id) return verdict;
    verdict.tokens_issued_at = std::chrono::sys_seconds(std::chrono::seconds(rows.integer(0, 2)));
    verdict.organisation = rows.text(0, 3);
    return verdict;
}

}  // namespace data_import::store
