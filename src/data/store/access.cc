#include "data/store/access.h"

#include "data/database/array_text.h"

namespace data_import::store {

namespace {

const std::string select_access = R"(
        SELECT key.id, key.organisation, scope.import_supplier
        FROM data_import.api_key AS key
        LEFT JOIN data_import.api_key_import_supplier AS scope ON scope.api_key_id = key.id
        WHERE key.revoked_at IS NULL)";

}  // namespace

database::Call load_access() {
    return {.name = "load_access", .sql = select_access};
}

database::Call load_access_of(const std::string& api_key_id) {
    return {.name = "load_access_of",
            .sql = select_access + " AND key.id = $1::bigint",
            .parameters = {api_key_id}};
}

AccessTable read_access(const database::Rows& rows) {
    std::unordered_map<std::string, std::shared_ptr<ApiKeyAccess>> keys;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string id(rows.text(row, 0));
        std::shared_ptr<ApiKeyAccess>& access = keys[id];
        if (!access) access = std::make_shared<ApiKeyAccess>(ApiKeyAccess{id, rows[row].text(1), {}});
        if (!rows.is_null(row, 2)) access->import_suppliers.emplace(rows.text(row, 2));
    }
    return {keys.begin(), keys.end()};
}

database::Call note_api_key_use(const std::vector<std::string>& api_key_ids) {
    database::ArrayText ids;
    for (const std::string& id : api_key_ids) ids.add(id);
    return {.name = "note_api_key_use",
            .sql = "SELECT data_import.note_api_key_use($1::bigint[])",
            .parameters = {ids.take()}};
}

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
