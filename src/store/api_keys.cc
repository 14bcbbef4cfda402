#include "store/api_keys.h"

#include "store/timestamp.h"

namespace data_import::store {

namespace {

std::string array_of(const std::vector<std::string>& elements) {
    ArrayText array;
    for (const std::string& element : elements) array.add(element);
    return array.take();
}

/// A row with the id, or one for each unknown code.
ScopeResult read_scope_result(const Rows& rows) {
    ScopeResult result;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (!rows.is_null(row, 0)) result.id = rows.text(row, 0);
        if (!rows.is_null(row, 1)) result.unknown_suppliers.emplace_back(rows.text(row, 1));
    }
    return result;
}

/// All keys, or the one of an id.
Call select_api_keys(const Parameter& id) {
    return {.name = "select_api_keys",
            .sql =
                "SELECT id, organisation, created_at, created_by, revoked_at, revoked_by, last_used_on, "
                "import_supplier "
                "FROM data_import.api_key LEFT JOIN data_import.api_key_import_supplier ON api_key_id = id "
                "WHERE $1::bigint IS NULL OR id = $1 ORDER BY id, import_supplier",
            .parameters = {id}};
}

std::optional<std::string> optional_time(const Rows& rows, std::size_t row, std::size_t column) {
    if (rows.is_null(row, column)) return std::nullopt;
    return to_rfc3339(rows.text(row, column));
}

/// Rows of one key stand together, one for each supplier of its scope.
std::vector<ApiKey> read_keys(const Rows& rows) {
    std::vector<ApiKey> keys;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        if (keys.empty() || keys.back().id != rows.text(row, 0)) {
            keys.push_back({.id = std::string(rows.text(row, 0)),
                            .organisation = std::string(rows.text(row, 1)),
                            .suppliers = {},
                            .created_at = to_rfc3339(rows.text(row, 2)),
                            .created_by = std::string(rows.text(row, 3)),
                            .revoked_at = optional_time(rows, row, 4),
                            .revoked_by = rows.optional_text(row, 5),
                            .last_used_on = rows.optional_text(row, 6)});
        }
        if (!rows.is_null(row, 7)) keys.back().suppliers.emplace_back(rows.text(row, 7));
    }
    return keys;
}

}  // namespace

ScopeResult create_api_key(Database& database, const std::string& organisation, const std::string& sha256_hex,
                           const std::vector<std::string>& suppliers, const std::string& created_by,
                           Deadline deadline) {
    const Call call{
        .name = "create_api_key",
        .sql =
            "WITH wanted AS (SELECT DISTINCT unnest($3::text[]) COLLATE \"C\" AS code), "
            "unknown AS (SELECT code FROM wanted EXCEPT SELECT code FROM data_import.import_supplier), "
            "key AS (INSERT INTO data_import.api_key (organisation, key_sha256, created_by) "
            "SELECT $1, decode($2, 'hex'), $4 WHERE NOT EXISTS (SELECT FROM unknown) RETURNING id), "
            "scope AS (INSERT INTO data_import.api_key_import_supplier (api_key_id, import_supplier) "
            "SELECT id, code FROM key, wanted) "
            "SELECT id, NULL FROM key UNION ALL SELECT NULL, code FROM unknown ORDER BY 2",
        .parameters = {organisation, sha256_hex, array_of(suppliers), created_by},
        .repeatable = false};
    return read_scope_result(database.execute(call, deadline));
}

ScopeResult set_api_key_scope(Database& database, const std::string& id,
                              const std::vector<std::string>& suppliers, Deadline deadline) {
    const Call call{
        .name = "set_api_key_scope",
        .sql =
            "WITH wanted AS (SELECT DISTINCT unnest($2::text[]) COLLATE \"C\" AS code), "
            "unknown AS (SELECT code FROM wanted EXCEPT SELECT code FROM data_import.import_supplier), "
            "key AS (SELECT id FROM data_import.api_key WHERE id = $1 AND revoked_at IS NULL "
            "AND NOT EXISTS (SELECT FROM unknown) FOR UPDATE), "
            "removed AS (DELETE FROM data_import.api_key_import_supplier USING key "
            "WHERE api_key_id = key.id AND import_supplier NOT IN (SELECT code FROM wanted)), "
            "added AS (INSERT INTO data_import.api_key_import_supplier (api_key_id, import_supplier) "
            "SELECT id, code FROM key, wanted ON CONFLICT DO NOTHING) "
            "SELECT id, NULL FROM key UNION ALL SELECT NULL, code FROM unknown ORDER BY 2",
        .parameters = {id, array_of(suppliers)}};
    return read_scope_result(database.execute(call, deadline));
}

bool revoke_api_key(Database& database, const std::string& id, const std::string& revoked_by,
                    Deadline deadline) {
    const Call call{.name = "revoke_api_key",
                    .sql =
                        "UPDATE data_import.api_key SET revoked_at = coalesce(revoked_at, now()), "
                        "revoked_by = coalesce(revoked_by, $2) WHERE id = $1 RETURNING id",
                    .parameters = {id, revoked_by}};
    return database.execute(call, deadline).size() == 1;
}

std::vector<ApiKey> list_api_keys(Database& database, Deadline deadline) {
    return read_keys(database.execute(select_api_keys(std::nullopt), deadline));
}

std::optional<ApiKey> find_api_key(Database& database, const std::string& id, Deadline deadline) {
    std::vector<ApiKey> keys = read_keys(database.execute(select_api_keys(id), deadline));
    if (keys.empty()) return std::nullopt;
    return std::move(keys.front());
}

void mark_api_key_used(Database& database, const std::string& id, Deadline deadline) {
    database.execute(
        {.name = "mark_api_key_used",
         .sql = "UPDATE data_import.api_key SET last_used_on = (now() AT TIME ZONE 'UTC')::date "
                "WHERE id = $1 AND last_used_on IS DISTINCT FROM (now() AT TIME ZONE 'UTC')::date",
         .parameters = {id}},
        deadline);
}

}  // namespace data_import::store
