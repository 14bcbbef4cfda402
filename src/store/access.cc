#include "store/access.h"
#include "database/array_text.h"

namespace data_import::store {

database::Call load_access() {
    return {.name = "load_access", .sql = R"(
        SELECT key.id, key.organisation, scope.import_supplier
        FROM data_import.api_key AS key
        LEFT JOIN data_import.api_key_import_supplier AS scope ON scope.api_key_id = key.id
        WHERE key.revoked_at IS NULL)"};
}

database::Call load_access_of(const std::string& api_key_id) {
    return {.name = "load_access_of",
            .sql = R"(
        SELECT key.id, key.organisation, scope.import_supplier
        FROM data_import.api_key AS key
        LEFT JOIN data_import.api_key_import_supplier AS scope ON scope.api_key_id = key.id
        WHERE key.id = $1::bigint AND key.revoked_at IS NULL)",
            .parameters = {api_key_id}};
}

AccessTable read_access(const database::Rows& rows) {
    std::unordered_map<std::string, std::shared_ptr<ApiKeyAccess>> keys;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string id(rows.text(row, 0));
        std::shared_ptr<ApiKeyAccess>& access = keys[id];
        if (!access)
            access = std::make_shared<ApiKeyAccess>(ApiKeyAccess{id, std::string(rows.text(row, 1)), {}});
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

}  // namespace data_import::store
