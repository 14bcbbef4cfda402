// Failed accounts are staged again, many at once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "database/database.h"

namespace data_import::store {

/// Selects failed accounts of a supplier: those whose reason contains `reason_like` in any case of its
/// letters; all if that is nothing.
struct RetryFilter {
    std::string import_supplier;
    std::optional<std::string> reason_like;
};

/// Stages them in slices, each in a transaction of its own, so that other steps of accounts wait for one
/// slice at most. Finished slices stay when a later one fails, and the call may be repeated. `author` stands
/// in the accounts' histories. Tells after each slice how many are done, and their share of all (0 to 1);
/// returns how many were staged. Passes on exceptions of Database; throws Refused with DI001 and DI002 when
/// there is no such supplier, or it is not Ongoing.
std::uint64_t retry_failed_accounts(database::Database& database, const RetryFilter& filter,
                                    const std::string& author,
                                    const std::function<void(std::uint64_t accounts, double share)>& done,
                                    database::Deadline deadline);

}  // namespace data_import::store
