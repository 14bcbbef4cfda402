#include "store/token_requests.h"

namespace data_import::store {

Call request_token(const TokenRequest& request, std::size_t most_refused_in_a_minute) {
    return {.name = "request_token",
            .sql =
                "SELECT seconds_to_wait, api_key_id "
                "FROM data_import.request_token($1::cidr, decode($2, 'hex'), $3::bigint, $4::integer)",
            .parameters = {request.address_block, request.key_sha256_hex, request.api_key_id,
                           std::to_string(most_refused_in_a_minute)}};
}

TokenVerdict read_token_verdict(const Rows& rows) {
    TokenVerdict verdict;
    if (!rows.is_null(0, 0)) verdict.wait = std::chrono::seconds(rows.integer(0, 0));
    verdict.api_key_id = rows.optional_text(0, 1);
    return verdict;
}

}  // namespace data_import::store
