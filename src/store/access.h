// Which API keys are valid and what they may touch (decisions, section 6).
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>

#include "store/database.h"

namespace data_import::store {

/// One valid key. A revoked key is simply not there.
struct ApiKeyAccess {
    std::string id;
    std::string organisation;
    std::set<std::string, std::less<>> import_suppliers;  ///< all of them exist
};

using AccessTable = std::unordered_map<std::string, ApiKeyAccess>;  ///< by id

[[nodiscard]] Call load_access();
[[nodiscard]] AccessTable read_access(const Rows& rows);

}  // namespace data_import::store
