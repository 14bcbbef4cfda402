// Failed accounts by reason: data_import.failures (sql/schema/07-open-accounts.sql).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/rows.h"

namespace data_import::store {

/// Failed accounts of a supplier whose reasons are the same, numbers apart.
struct FailureGroup {
    std::string import_supplier;
    std::string reason;  ///< with N for every number; empty: none was given
    std::int64_t accounts = 0;
    std::string sample;     ///< the reason of the account that failed last, as it was given
    std::string example;    ///< the external number of the account that failed last
    std::string failed_at;  ///< time of that failure, RFC 3339
};

/// Finds the largest groups of one supplier or of all, at most so many, whose reasons as given contain this
/// text, in capitals or not.
[[nodiscard]] database::Call find_failure_groups(const std::optional<std::string>& import_supplier,
                                                 std::string_view text, std::size_t most);
[[nodiscard]] std::vector<FailureGroup> read_failure_groups(const database::Rows& rows);

/// Lists the latest failures of a group, at most so many; store::read_open_accounts reads them.
[[nodiscard]] database::Call list_failures_of_group(std::string_view import_supplier, std::string_view reason,
                                                    std::size_t most);

}  // namespace data_import::store
