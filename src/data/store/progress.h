// The progress of a supplier's migration, in exact figures that cost the same for ten accounts and for ten
// million: data_import.migration_progress (sql/schema/28-progress.sql).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/database/call.h"
#include "data/database/database.h"
#include "data/database/rows.h"
#include "data/store/account_list.h"
#include "data/store/accounts.h"
#include "data/store/erasure.h"

namespace data_import::store {

/// The arrivals in a span of time that ends now.
struct Arrivals {
    std::int64_t accounts = 0;  ///< imported accounts
    std::int64_t records = 0;   ///< stored records of all kinds
};

/// A migration stands still if nothing has arrived for this long.
inline constexpr std::chrono::minutes standstill_after{10};

struct MigrationProgress {
    std::string status;  ///< one of supplier_statuses
    std::string as_of;   ///< RFC 3339, as the times below
    AccountCounts accounts{};
    RecordCounts records;
    /// The number of times that a transaction was sent again with other content, which is not stored. The
    /// number is some seconds late.
    std::int64_t differing_transactions = 0;
    /// Arrivals of the last 60 to 65 seconds. `last_hour` and `last_day` may begin up to a minute earlier
    /// than their names say.
    Arrivals last_minute;
    Arrivals last_hour;
    /// Arrivals of the last day; nothing in overviews of suppliers, because counting them takes long.
    std::optional<Arrivals> last_day;
    std::optional<std::string> last_import_at;   ///< time of the last stored record
    std::optional<std::string> last_account_at;  ///< time of the last imported account
    /// The time when no account will be staged or in progress, if imports go on as in the last hour. Failed
    /// accounts do not count, because they need another attempt first. Nothing in these cases:
    ///   - the supplier is not Ongoing, or no account is staged or in progress
    ///   - no account was imported for longer than `standstill_after`
    ///   - the last import was at least a minute ago, and the time since then would have been enough for all
    ///     accounts that are staged or in progress
    ///   - the time is more than 100 years away
    std::optional<std::string> estimated_end_at;
    /// The time of the last import of a record or an account, if nothing has arrived for `standstill_after`
    /// although the supplier is Ongoing and has accounts that are staged or in progress; otherwise nothing.
    std::optional<std::string> stands_still_since;

    [[nodiscard]] std::int64_t all_accounts() const;
};

[[nodiscard]] database::Call find_progress(std::string_view import_supplier);
/// Reads the answer to a call of find_progress(). Returns nothing if the supplier does not exist.
[[nodiscard]] std::optional<MigrationProgress> read_progress(const database::Rows& rows);

/// Figures that an operator has looked at. Until a figure becomes greater than it was then, it calls for no
/// attention.
struct Acknowledgement {
    std::int64_t failed = 0;   ///< failed accounts
    std::int64_t refused = 0;  ///< refused requests in the hour before the operator looked at the figures
    std::string reason = {};
    std::string by = {};
    std::string at = {};  ///< RFC 3339
};

/// A supplier in an overview of suppliers.
struct SupplierProgress {
    std::string code;
    std::string name;
    /// The control totals differ from the declared ones; nothing: none are declared.
    std::optional<bool> differs;
    /// Consumers have declared booked figures that differ from the stored ones, and nobody has accepted the
    /// differences. Nothing: no consumer has declared booked figures of the supplier.
    std::optional<bool> booked_differs = {};
    std::int64_t refused_last_hour = 0;  ///< refusals in the last 60 to 61 minutes, except those with 429
    std::optional<OpenAccount> oldest;   ///< the attempt that has been running for longest
    std::string status_since;            ///< RFC 3339, as is `signed_at`
    /// The operator who has set the status; nothing: the status is still the one at the supplier's creation.
    std::optional<std::string> status_by;
    std::optional<std::string> signed_at;  ///< time of the last signed report
    /// The present figures differ from those of the last signed report.
    bool has_changed_since_signed = false;
    std::optional<std::string> planned_end;  ///< YYYY-MM-DD: the planned last day of the migration
    /// The number of failed accounts, or of refusals in an hour, that calls for attention.
    std::int64_t attention = 1;
    std::optional<Acknowledgement> acknowledgement;
    /// The erasure of the supplier's accounts; nothing: none has begun. Once it has begun, `progress` counts
    /// only the accounts that are left.
    std::optional<SupplierErasure> erasure;
    MigrationProgress progress;

    [[nodiscard]] bool has_differences() const {
        return differs.value_or(false) || booked_differs.value_or(false);
    }
    /// Returns whether the last signed report has the present figures.
    [[nodiscard]] bool is_signed() const { return signed_at && !has_changed_since_signed; }
};

/// Finds these suppliers, in the order of their codes; leaves out unknown ones.
[[nodiscard]] database::Call find_overview(const std::vector<std::string>& import_suppliers);
[[nodiscard]] database::Call find_overview_of_all();
[[nodiscard]] std::vector<SupplierProgress> read_overview(const database::Rows& rows);

/// Stores `acknowledgement` for the supplier, in place of an earlier acknowledgement. The stored
/// Acknowledgement::at is the present time. If `acknowledgement` is nothing, only deletes the earlier
/// acknowledgement.
void keep_acknowledgement(database::Database& database, const std::string& import_supplier,
                          const std::optional<Acknowledgement>& acknowledgement, database::Deadline deadline);

/// Returns the current numbers of failed accounts and refused requests of a supplier. `reason`, `by` and `at`
/// of the result are not set. Returns nothing if both numbers are 0.
[[nodiscard]] std::optional<Acknowledgement> figures_to_acknowledge(database::Database& database,
                                                                    const std::string& import_supplier,
                                                                    database::Deadline deadline);

/// The accounts of one supplier by their state.
struct AccountsOfSupplier {
    std::string import_supplier;
    std::string status;  ///< one of supplier_statuses
    AccountCounts accounts{};
};

/// Counts the accounts of each supplier by state, for at most `most_suppliers` suppliers. If there are more,
/// takes those that are not Complete before the others, and newer ones before older ones.
[[nodiscard]] database::Call find_accounts_by_state(std::size_t most_suppliers);
[[nodiscard]] std::vector<AccountsOfSupplier> read_accounts_by_state(const database::Rows& rows);

}  // namespace data_import::store
