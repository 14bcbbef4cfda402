// The valid API keys and the suppliers that they may touch (contract, section 6.2).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "database/call.h"
#include "database/rows.h"

namespace data_import::store {

/// One valid key. A revoked key is simply not there.
struct ApiKeyAccess {
    std::string id;
    std::string organisation;
    std::set<std::string, std::less<>> import_suppliers;  ///< all of them exist
};

/// By id. A value outlives its table, so that a request keeps the rights that it was admitted with.
using AccessTable = std::unordered_map<std::string, std::shared_ptr<const ApiKeyAccess>>;

[[nodiscard]] database::Call load_access();
/// The same of one key.
[[nodiscard]] database::Call load_access_of(const std::string& api_key_id);
[[nodiscard]] AccessTable read_access(const database::Rows& rows);

/// Notes that these keys were used today (UTC).
[[nodiscard]] database::Call note_api_key_use(const std::vector<std::string>& api_key_ids);

}  // namespace data_import::store
