// The documents that imported data refers to: view data_import.document_location (contract,
// section 1.5).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "database/database.h"
#include "store/account_name.h"

namespace data_import::store {

inline constexpr int max_document_locations = 100;

struct DocumentLocations {
    std::int64_t count = 0;  ///< different documents
    std::vector<std::string>
        locations;  ///< the first `max_document_locations` in the order of their texts, each
                    ///< the supplier's root, then the path, without a slash in front
};

[[nodiscard]] DocumentLocations find_document_locations(database::Database& database,
                                                        const AccountName& account,
                                                        database::Deadline deadline);

}  // namespace data_import::store
