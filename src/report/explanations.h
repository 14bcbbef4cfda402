// Which of a supplier's differing control totals are explained by accepted differences of single accounts.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/accepted_differences.h"
#include "store/control_totals.h"

namespace data_import::report {

/// A figure that differs from what was declared.
struct DifferingFigure {
    store::ControlFigure figure;
    /// What the accepted differences of accounts come to; nothing where they do not tell of this figure.
    std::optional<std::string> accepted = {};
    bool is_explained = false;
};

struct Explanations {
    std::vector<DifferingFigure> figures;             ///< all that differ, in the order of the totals
    std::vector<store::AcceptedDifference> accepted;  ///< that hold
    std::int64_t lapsed = 0;                          ///< accepted once, and since then something changed
    [[nodiscard]] bool is_complete() const;           ///< every figure is explained
};

/// What an account holds of a kind now.
struct Holding {
    bool is_known = false;  ///< the account is there
    store::KindFigures figures;
};
using FindHolding =
    std::function<Holding(const std::string& external_account_number, const std::string& kind)>;

/// An accepted difference holds as long as the account holds what it held then; of several for one account
/// and kind the newest that holds counts. `accepted` is ordered by account and kind, the newest first.
///
/// - `records` of a kind is explained when the accepted differences of that kind add up to it.
/// - The amounts of a kind (amount:TYPE, quantity:UNIT, gross_amount, amount_total) are explained together
/// when
///   the accepted amounts add up to their differences; where an accepted difference tells no amount, none is.
/// - What else is counted of a kind (amounts, line_items) goes with these, where its records are explained.
/// - The number of accounts is explained when as many are missing as have accepted differences and are not
///   known here.
[[nodiscard]] Explanations explain(const store::ControlTotals& totals,
                                   const std::vector<store::AcceptedDifference>& accepted,
                                   const FindHolding& find_holding);

}  // namespace data_import::report
