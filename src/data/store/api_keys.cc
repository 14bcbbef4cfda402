#include "data/store/api_keys.h"

#include <algorithm>
#include <functional>
#include <map>

#include "data/database/array_text.h"
#include "data/records/kinds.h"

namespace data_import::store {

namespace {

std::string array_of(const std::vector<std::string>& elements) {
    database::ArrayText array;
    for (const std::string& element : elements) array.add(element);
    return array.take();
}

/// Returns a result that has no id, and lists those of `suppliers` (codes, a PostgreSQL array) that do not
/// exist.
///
/// The check is a statement of its own, because on Citus one statement cannot both read suppliers, which are
/// distributed, and change keys, which are not.
ScopeResult check_suppliers(database::Database& database, const std::string& suppliers,
                            database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "find_unknown_suppliers",
                          .sql = "SELECT unnest($1::text[]) COLLATE \"C\" "
                                 "EXCEPT SELECT code FROM data_import.import_supplier ORDER BY 1",
                          .parameters = {suppliers}},
                         deadline);
    return {.id = "", .unknown_suppliers = rows.texts()};
}

/// Calls `store`, which stores a scope with these `suppliers` (codes, a PostgreSQL array). If one of the
/// suppliers does not exist any more, nothing is stored, and `result` gets the list of unknown suppliers.
void store_scope(const std::function<void()>& store, database::Database& database,
                 const std::string& suppliers, ScopeResult& result, database::Deadline deadline) {
    constexpr std::string_view foreign_key_violation = "23503";
    try {
        store();
    } catch (const database::Refused& refused) {
        if (refused.sqlstate() != foreign_key_violation) throw;
        result = check_suppliers(database, suppliers, deadline);
        if (result.unknown_suppliers.empty()) throw;
    }
}

/// Returns the query for the key with this id; for all keys if the id is nothing.
database::Call select_api_keys(const database::Parameter& id) {
    return {.name = "select_api_keys",
            .sql =
                "SELECT id, organisation, created_at, created_by, revoked_at, revoked_by, "
                "(SELECT max(used_on) FROM data_import.api_key_use WHERE api_key_use.api_key_id = id), "
                "import_supplier "
                "FROM data_import.api_key LEFT JOIN data_import.api_key_import_supplier ON api_key_id = id "
                "WHERE $1::bigint IS NULL OR id = $1 ORDER BY id, import_supplier",
            .parameters = {id}};
}

/// Reads keys. The rows of one key stand together, one for each supplier of its scope.
std::vector<ApiKey> read_keys(const database::Rows& rows) {
    std::vector<ApiKey> keys;
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const database::Row row = rows[place];
        if (keys.empty() || keys.back().id != row.text(0)) {
            keys.push_back({.id = row.text(0),
                            .organisation = row.text(1),
                            .suppliers = {},
                            .created_at = row.time(2),
                            .created_by = row.text(3),
                            .revoked_at = row.optional_time(4),
                            .revoked_by = row.optional_text(5),
                            .last_used_on = row.optional_text(6)});
        }
        if (!row.is_null(7)) keys.back().suppliers.push_back(row.text(7));
    }
    return keys;
}

/// Returns SQL that counts a supplier's records of a kind by API key. Leaves out notes that the service
/// itself added, because they were not imported with a key.
std::string select_keys(const records::Kind& kind) {
    std::string sql =
        "SELECT record.api_key_id, count(*), min(record.imported_at), max(record.imported_at) "
        "FROM data_import.";
    (sql += kind.table) += " AS record JOIN data_import.account ON account.account_key = record.account_key ";
    sql += "WHERE account.import_supplier = $1";
    if (!kind.condition.empty()) (sql += " AND ") += kind.condition;
    return sql += " GROUP BY record.api_key_id";
}

using KeysById = std::map<std::int64_t, ImportingKey>;

void add(KeysById& keys, const database::Rows& rows) {
    for (std::size_t place = 0; place < rows.size(); ++place) {
        const database::Row row = rows[place];
        const std::string first = row.time(2);
        const std::string last = row.time(3);
        ImportingKey& key = keys[row.integer(0)];
        if (key.records == 0) key = {row.text(0), {}, {}, 0, first, last};
        key.records += row.integer(1);
        key.first_at = std::min(key.first_at, first);
        key.last_at = std::max(key.last_at, last);
    }
}

}  // namespace

ScopeResult create_api_key(database::Database& database, const std::string& organisation,
                           const std::string& sha256_hex, const std::vector<std::string>& suppliers,
                           const Operator& by, database::Deadline deadline) {
    const std::string wanted = array_of(suppliers);
    ScopeResult result = check_suppliers(database, wanted, deadline);
    if (!result.unknown_suppliers.empty()) return result;
    const database::Call call{
        .name = "create_api_key",
        .sql =
            "SELECT api_key_id, event_id FROM data_import.create_api_key($1, decode($2, 'hex'), $3, $4, $5)",
        .parameters = {organisation, sha256_hex, wanted, by.system_user, by.host},
        .retryable = false};
    const auto store = [&] {
        const database::Rows rows = database.execute(call, deadline);
        result.id = rows.text(0, 0);
        result.event = rows.integer(0, 1);
    };
    store_scope(store, database, wanted, result, deadline);
    return result;
}

ScopeResult set_api_key_scope(database::Database& database, const std::string& id,
                              const std::vector<std::string>& suppliers, const Operator& by,
                              database::Deadline deadline) {
    const std::string wanted = array_of(suppliers);
    ScopeResult result = check_suppliers(database, wanted, deadline);
    if (!result.unknown_suppliers.empty()) return result;
    // The lock is a statement of its own, so that the statement after it sees a scope that another session
    // has just set.
    const database::Call lock{.name = "lock_api_key",
                              .sql = "SELECT id FROM data_import.api_key WHERE id = $1 FOR UPDATE",
                              .parameters = {id}};
    const database::Call set{
        .name = "set_api_key_scope",
        .sql =
            "WITH wanted AS (SELECT DISTINCT unnest($2::text[]) COLLATE \"C\" AS code), "
            "key AS (SELECT id, organisation, ARRAY(SELECT import_supplier "
            "FROM data_import.api_key_import_supplier WHERE api_key_id = id ORDER BY 1)::text[] AS "
            "old_scope, "
            "ARRAY(SELECT code FROM wanted ORDER BY 1)::text[] AS new_scope "
            "FROM data_import.api_key WHERE id = $1 AND revoked_at IS NULL), "
            "removed AS (DELETE FROM data_import.api_key_import_supplier USING key "
            "WHERE api_key_id = key.id AND import_supplier NOT IN (SELECT code FROM wanted)), "
            "added AS (INSERT INTO data_import.api_key_import_supplier (api_key_id, import_supplier) "
            "SELECT id, code FROM key, wanted ON CONFLICT DO NOTHING), "
            "event AS (INSERT INTO data_import.access_event "
            "(action, operator_name, host, api_key_id, organisation, old_scope, new_scope) "
            "SELECT 'scope_changed', $3, $4, id, organisation, old_scope, new_scope FROM key "
            "WHERE old_scope <> new_scope) "
            "SELECT id FROM key",
        .parameters = {id, wanted, by.system_user, by.host}};
    const auto lock_and_set = [&] {
        database.execute(lock, deadline);
        const database::Rows rows = database.execute(set, deadline);
        if (rows.size() == 1) result.id = rows.text(0, 0);
    };
    store_scope([&] { database.transaction(lock_and_set, deadline); }, database, wanted, result, deadline);
    return result;
}

Revocation revoke_api_key(database::Database& database, const std::string& id, const Operator& by,
                          database::Deadline deadline) {
    const database::Rows rows =
        database.execute({.name = "revoke_api_key",
                          .sql = "SELECT is_known, event_id FROM data_import.revoke_api_key($1, $2, $3)",
                          .parameters = {id, by.system_user, by.host}},
                         deadline);
    return {rows.boolean(0, 0), rows.is_null(0, 1) ? std::nullopt : std::optional(rows.integer(0, 1))};
}

std::vector<ApiKey> list_api_keys(database::Database& database, database::Deadline deadline) {
    return read_keys(database.execute(select_api_keys(std::nullopt), deadline));
}

std::optional<ApiKey> find_api_key(database::Database& database, const std::string& id,
                                   database::Deadline deadline) {
    std::vector<ApiKey> keys = read_keys(database.execute(select_api_keys(id), deadline));
    if (keys.empty()) return std::nullopt;
    return std::move(keys.front());
}

void record_issued_token(database::Database& database, const std::string& id, const Operator& by,
                         database::Deadline deadline) {
    const database::Call call{
        .name = "record_issued_token",
        .sql =
            "WITH event AS (INSERT INTO data_import.access_event "
            "(action, operator_name, host, api_key_id, organisation) "
            "SELECT 'token_issued', $2, $3, id, organisation FROM data_import.api_key WHERE id = $1) "
            "SELECT data_import.note_api_key_use(ARRAY[$1::bigint])",
        .parameters = {id, by.system_user, by.host},
        .retryable = false};
    database.execute(call, deadline);
}

std::vector<ImportingKey> list_importing_keys(database::Database& database, std::string_view import_supplier,
                                              database::Deadline deadline) {
    KeysById keys;
    for (const records::Kind& kind : records::kinds()) {
        add(keys, database.execute({.name = "list_importing_keys_" + std::string(kind.table),
                                    .sql = select_keys(kind),
                                    .parameters = {std::string(import_supplier)}},
                                   deadline));
    }
    std::vector<ImportingKey> listed;
    for (auto& [id, key] : keys) {
        if (const auto known = find_api_key(database, key.api_key_id, deadline)) {
            key.organisation = known->organisation;
            key.revoked_at = known->revoked_at;
        }
        listed.push_back(std::move(key));
    }
    return listed;
}

}  // namespace data_import::store
