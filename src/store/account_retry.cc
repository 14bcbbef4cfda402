#include "store/account_retry.h"

#include <algorithm>

namespace data_import::store {

namespace {

constexpr const char* accounts_at_once = "10000";  // half a second or so

struct Slice {
    std::uint64_t accounts = 0;
    std::string last_number;
};

/// A slice is not taken again when its outcome is unknown: that would take the next accounts.
Slice retry_slice(database::Database& database, const RetryFilter& filter, const std::string& after,
                  const std::string& author, database::Deadline deadline) {
    Slice slice;
    const auto work = [&] {
        database.execute({.name = "name_operator",
                          .sql = "SELECT set_config('data_import.operator', $1, true)",
                          .parameters = {author}},
                         deadline);
        const database::Rows rows = database.execute(
            {.name = "retry_failed_accounts",
             .sql = "SELECT accounts, last_number FROM data_import.retry_failed_accounts($1, $2, $3, $4)",
             .parameters = {filter.import_supplier, filter.reason_like, after, accounts_at_once}},
            deadline);
        slice = {static_cast<std::uint64_t>(rows.integer(0, 0)), rows.optional_text(0, 1).value_or("")};
    };
    database.transaction(work, deadline);
    return slice;
}

}  // namespace

std::uint64_t retry_failed_accounts(database::Database& database, const RetryFilter& filter,
                                    const std::string& author,
                                    const std::function<void(std::uint64_t accounts, double share)>& done,
                                    database::Deadline deadline) {
    const auto all =
        static_cast<double>(database
                                .execute({.name = "count_failed_accounts",
                                          .sql = "SELECT data_import.count_failed_accounts($1, $2)",
                                          .parameters = {filter.import_supplier, filter.reason_like}},
                                         deadline)
                                .integer(0, 0));
    std::uint64_t accounts = 0;
    Slice slice;
    do {
        slice = retry_slice(database, filter, slice.last_number, author, deadline);
        accounts += slice.accounts;
        done(accounts, std::min(static_cast<double>(accounts) / std::max(all, 1.0), 1.0));
    } while (slice.accounts > 0);
    return accounts;
}

}  // namespace data_import::store
