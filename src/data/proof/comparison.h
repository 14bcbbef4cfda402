// Compares the records of a supplier's accounts with the totals in the supplier's own file, for `reconcile`.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/database/database.h"
#include "data/store/control_totals.h"
#include "data/store/operator.h"
#include "data/store/reconciliation.h"

namespace data_import::proof {

struct DifferingSum {
    std::string figure;
    std::string declared;
    std::string held;
};
/// Lists the sums that differ. A figure that only one side has is 0 on the other.
[[nodiscard]] std::vector<DifferingSum> differing_sums(const store::Sums& declared, const store::Sums& held);

/// Functions that compare_accounts() calls: `differs` with each difference and its acceptance, which is
/// nothing if nobody has accepted the difference; `account_done` after each stored account.
struct ComparisonEvents {
    std::function<void(const store::Difference&, const std::optional<store::Acceptance>&)> differs;
    std::function<void()> account_done;
};

struct Compared {
    std::int64_t accounts = 0;  ///< accounts that are stored here
    /// Differences that were accepted, because the operator's file gives a reason.
    std::int64_t accepted = 0;
    /// Stored totals that differ from the sums over the records.
    std::vector<store::ControlFigure> wrong_totals = {};
};

/// Compares all accounts of the supplier with the totals in the supplier's file, and calls the functions of
/// `events` meanwhile. Accepts the differences for which the operator's file gives a reason. `files` has the
/// rows of both files, `by` is the operator. Has to be called in a transaction of with_snapshot().
[[nodiscard]] Compared compare_accounts(database::Database& database, const std::string& import_supplier,
                                        store::Reconciliation& files, const std::string& by,
                                        const ComparisonEvents& events, database::Deadline deadline);

/// Adds to the audit history how many differences were accepted, if any. Returns the id of the entry.
std::optional<std::int64_t> record_accepted(database::Database& database, const std::string& import_supplier,
                                            std::int64_t accepted, const store::Operator& by,
                                            database::Deadline deadline);

}  // namespace data_import::proof
