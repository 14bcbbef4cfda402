// The API keys by which the records of a supplier's accounts came.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"

namespace data_import::store {

struct ImportingKey {
    std::string api_key_id;
    std::optional<std::string> organisation;  ///< nothing: there is no such key
    std::optional<std::string> revoked_at;    ///< RFC 3339, as the times below
    std::int64_t records = 0;                 ///< stored records of all kinds
    std::string first_at;                     ///< when the first of them came
    std::string last_at;
};

/// By id. Reads all records that there are, of all suppliers.
[[nodiscard]] std::vector<ImportingKey> list_importing_keys(database::Database& database,
                                                            std::string_view import_supplier,
                                                            database::Deadline deadline);

}  // namespace data_import::store
