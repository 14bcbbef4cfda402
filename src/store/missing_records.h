// Imported accounts that have no records of a kind.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "database/call.h"
#include "database/rows.h"

namespace data_import::store {

/// The first of them by number (by code point), at most so many. Looks every imported account up until it has
/// found that many. `kind` is one of records::kinds().
[[nodiscard]] database::Call list_accounts_without(std::string_view import_supplier, std::string_view kind,
                                                   std::size_t most);
[[nodiscard]] std::vector<std::string> read_accounts_without(const database::Rows& rows);

/// How many there are. Reads all records of the kind, of all suppliers.
[[nodiscard]] database::Call count_accounts_without(std::string_view import_supplier, std::string_view kind);
[[nodiscard]] std::int64_t read_count(const database::Rows& rows);

}  // namespace data_import::store
