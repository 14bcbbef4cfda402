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
    std::int64_t lapsed = 0;                 ///< number of accepted differences that are no longer valid
    [[nodiscard]] bool is_complete() const;  ///< every figure is explained
};

/// The records of one kind that an account has now.
struct AccountRecords {
    bool is_known = false;  ///< the account exists here
    store::KindFigures figures;
};
using FindRecords =
    std::function<AccountRecords(const std::string& external_account_number, const std::string& kind)>;

/// Judges which differences are explained. `accepted` is ordered by account and kind, and has the newest
/// accepted difference of the same account and kind first. An accepted difference is valid as long as the
/// account has the same records as when the difference was accepted. Of the valid accepted differences of the
/// same account and kind, only the newest one counts.
///
/// A declared figure is explained if the accepted differences of its kind add up to exactly the difference
/// between its stored and its declared value. If the two values are equal, the accepted differences have to
/// add up to 0. If the accepted differences add up to anything else, another account must have a difference
/// that nobody has accepted.
///
/// The figures of an accepted difference depend on what the supplier has declared for the account:
/// - sums, or no records: the accepted difference has all figures of the kind
/// - one amount for all types and units, but no sums: the accepted difference has `records` and this amount
/// - neither sums nor an amount: the accepted difference has only `records`
///
/// A figure is not explained if an accepted difference of its kind lacks the figure. The amounts of a kind
/// (amount:TYPE, quantity:UNIT, gross_amount, amount_total) are an exception: one amount for all types and
/// units suffices to explain the amounts together. The amounts are not explained if one of them is too high
/// and another one is too low, or if the supplier's totals lack one of them.
///
/// Some accounts with a valid accepted difference may not exist here. The figure `accounts` is explained if
/// its declared value minus its stored value is the number of these accounts.
[[nodiscard]] Explanations explain(const store::ControlTotals& totals,
                                   const std::vector<store::AcceptedDifference>& accepted,
                                   const FindRecords& find_records);

}  // namespace data_import::report
