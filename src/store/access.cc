#include "store/access.h"

namespace data_import::store {

Call load_access() {
    return {.name = "load_access", .sql = R"(
        SELECT key.id, key.organisation, scope.import_supplier
        FROM data_import.api_key AS key
        LEFT JOIN data_import.api_key_import_supplier AS scope ON scope.api_key_id = key.id
        WHERE key.revoked_at IS NULL)"};
}

AccessTable read_access(const Rows& rows) {
    AccessTable table;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string id(rows.text(row, 0));
        ApiKeyAccess& access = table[id];
        access.id = id;
        access.organisation = rows.text(row, 1);
        if (!rows.is_null(row, 2)) access.import_suppliers.emplace(rows.text(row, 2));
    }
    return table;
}

}  // namespace data_import::store
