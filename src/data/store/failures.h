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

/// Failed accounts of a supplier whose reasons are equal if every number in them is written as N.
struct FailureGroup {
    std::string import_supplier;
    /// The common reason, with N in the place of every number; empty: no reason was given.
    std::string reason;
    std::int64_t accounts = 0;
    std::string sample;     ///< the reason of the account that failed last, as it was given
    std::string example;    ///< the external number of the account that failed last
    std::string failed_at;  ///< RFC 3339: time of the group's last failure
};

/// Groups the failed accounts of one supplier, or of all, whose reasons contain `text` (in upper or lower
/// case), and finds the `most` largest groups.
[[nodiscard]] database::Call find_failure_groups(const std::optional<std::string>& import_supplier,
                                                 std::string_view text, std::size_t most);
[[nodiscard]] std::vector<FailureGroup> read_failure_groups(const database::Rows& rows);

/// Lists the latest failures of the group with this FailureGroup::reason, at most `most`;
/// read_open_accounts() reads the rows.
[[nodiscard]] database::Call list_failures_of_group(std::string_view import_supplier, std::string_view reason,
                                                    std::size_t most);

}  // namespace data_import::store
