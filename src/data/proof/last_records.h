// The last records of an account as they were sent, for operators.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/database.h"
#include "data/records/kinds.h"

namespace data_import::proof {

struct SeenRecord {
    std::string imported_at;  ///< time of the import (RFC 3339)
    std::string request_id;   ///< id of the request that brought it, 32 hexadecimal digits
    std::string api_key_id;
    std::optional<std::string> moved_to;  ///< the stored date, if it is not the one that was sent
    std::string json;                     ///< the record in the canonical form (contract, section 12.5)
};

struct SeenRecords {
    std::vector<SeenRecord> records;    ///< the latest first
    std::optional<std::string> cursor;  ///< the cursor for earlier records; nothing if there are none
};

/// Returns whether a text has the form of SeenRecords::cursor.
[[nodiscard]] bool is_record_cursor(std::string_view text);

/// Returns at most `most` records of a kind of one account, the latest first. Leaves out records that the
/// service made itself. `cursor` is the SeenRecords::cursor of an earlier answer: the list goes on with the
/// records that are older than the last one of that answer. With an empty cursor, it begins with the latest
/// record.
[[nodiscard]] SeenRecords read_last_records(database::Database& database, const records::Kind& kind,
                                            const std::string& account_key, std::string_view cursor,
                                            std::size_t most, database::Deadline deadline);

}  // namespace data_import::proof
