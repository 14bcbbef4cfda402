// Finds out which differences of a supplier's control totals are explained by the accepted differences of its
// accounts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "data/store/control_totals.h"
#include "data/store/reconciliation.h"

namespace data_import::report {

/// A declared figure that needs an explanation: its stored value differs from the declared one, or both are
/// equal although the accepted differences of accounts add up to something else than 0.
struct DifferingFigure {
    store::ControlFigure figure;
    /// The sum of the accepted differences of accounts. Nothing if there are none, or if the figure is
    /// unknown for some of them (see explain()).
    std::optional<std::string> accepted = {};
    bool is_explained = false;
};

/// Finds the DifferingFigure of a figure. Has to be asked in the order of the control totals, because each
/// search begins after the last figure found.
class Judgements {
public:
    explicit Judgements(const std::vector<DifferingFigure>& figures)
        : next_(figures.begin()), end_(figures.end()) {}
    /// Returns null for a figure that needs no explanation.
    [[nodiscard]] const DifferingFigure* find(const store::ControlFigure& figure);

private:
    std::vector<DifferingFigure>::const_iterator next_;
    std::vector<DifferingFigure>::const_iterator end_;
};

struct Explanations {
    std::vector<DifferingFigure> figures;  ///< figures that need an explanation, in the order of the totals
    std::vector<store::AcceptedDifference> accepted;  ///< accepted differences that are still valid
    std::int64_t lapsed = 0;  ///< pairs of account and kind that have accepted differences, but no valid one
    [[nodiscard]] bool is_complete() const;  ///< every figure is explained
};

/// The records of one kind that an account has now.
struct AccountRecords {
    bool is_known = false;  ///< the account exists here
    store::KindFigures figures;
};
using FindRecords =
    std::function<AccountRecords(const std::string& external_account_number, const std::string& kind)>;

/// Returns which declared figures the accepted differences of accounts explain. `accepted` is ordered by
/// account and kind, then from the newest to the oldest. `find_records` returns the records that an account
/// has now. An accepted difference is valid if the account has the same records now as when the difference
/// was accepted. For each account and kind, only the newest valid one counts.
///
/// A figure is explained if the accepted differences of all accounts add up to its stored value minus its
/// declared value. Any other sum means that an account has a difference that nobody has accepted.
///
/// A figure is not explained if an accepted difference of its kind does not state the figure. The figures
/// that an accepted difference states depend on the supplier's declaration for the account:
/// - a sum for each type or unit, or that there are no records: all figures of the kind
/// - one amount for all types or units: `records` and one amount
/// - only the number of records: only `records`
///
/// If some accepted differences of a kind state one amount, and none states only `records`, the amounts of
/// the kind (amount:TYPE, quantity:UNIT, gross_amount, amount_total) are judged together, by the sum of their
/// differences. They are not explained if one is too high and another one too low, because the two could
/// cancel out, or if the supplier has not declared all of them.
///
/// An account counts as missing if it has a valid accepted difference, but does not exist here. The figure
/// `accounts` is explained if its declared value minus its stored value is the number of missing accounts.
[[nodiscard]] Explanations explain(const store::ControlTotals& totals,
                                   const std::vector<store::AcceptedDifference>& accepted,
                                   const FindRecords& find_records);

}  // namespace data_import::report
