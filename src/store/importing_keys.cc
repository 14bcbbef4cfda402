#include "store/importing_keys.h"

#include <algorithm>
#include <map>

#include "records/kinds.h"
#include "store/api_keys.h"
#include "store/column_text.h"

namespace data_import::store {

namespace {

/// Notes that the service pinned itself came by nobody's key.
std::string select_keys(const records::Kind& kind) {
    std::string sql =
        "SELECT record.api_key_id, count(*), min(record.imported_at), max(record.imported_at) "
        "FROM data_import.";
    (sql += kind.table) += " AS record JOIN data_import.account ON account.account_key = record.account_key ";
    sql += "WHERE account.import_supplier = $1";
    if (!kind.condition.empty()) (sql += " AND ") += kind.condition;
    return sql += " GROUP BY record.api_key_id";
}

/// The statements' names and texts live as long as the program.
const std::vector<std::pair<std::string, std::string>>& statements() {
    static const auto all = [] {
        std::vector<std::pair<std::string, std::string>> made;
        for (const records::Kind& kind : records::kinds())
            made.emplace_back("list_importing_keys_" + std::string(kind.table), select_keys(kind));
        return made;
    }();
    return all;
}

using KeysById = std::map<std::int64_t, ImportingKey>;

void add(KeysById& keys, const database::Rows& rows) {
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::string first = to_rfc3339(rows.text(row, 2));
        const std::string last = to_rfc3339(rows.text(row, 3));
        ImportingKey& key = keys[rows.integer(row, 0)];
        if (key.records == 0) key = {std::string(rows.text(row, 0)), {}, {}, 0, first, last};
        key.records += rows.integer(row, 1);
        key.first_at = std::min(key.first_at, first);
        key.last_at = std::max(key.last_at, last);
    }
}

}  // namespace

std::vector<ImportingKey> list_importing_keys(database::Database& database, std::string_view import_supplier,
                                              database::Deadline deadline) {
    KeysById keys;
    for (const auto& [name, sql] : statements()) {
        add(keys,
            database.execute(
                {.name = name.c_str(), .sql = sql.c_str(), .parameters = {std::string(import_supplier)}},
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
