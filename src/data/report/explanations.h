// Tells which of a supplier's differing control totals are explained by accepted differences of single
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

/// A figure that differs from the declared value, or from the sum of the accepted differences of accounts.
struct DifferingFigure {
    store::ControlFigure figure;
    /// The sum of the accepted differences of accounts; nothing if they do not tell this figure.
    std::optional<std::string> accepted = {};
    bool is_explained = false;
};

/// Finds the judgements on figures. They have to be asked for in the order of the totals.
class Judgements {
public:
    explicit Judgements(const std::vector<DifferingFigure>& figures)
        : next_(figures.begin()), end_(figures.end()) {}
    /// Returns null for a figure that is equal to the declared one, or not declared.
    [[nodiscard]] const DifferingFigure* find(const store::ControlFigure& figure);

private:
    std::vector<DifferingFigure>::const_iterator next_;
    std::vector<DifferingFigure>::const_iterator end_;
};

struct Explanations {
    std::vector<DifferingFigure> figures;             ///< in the order of the totals
    std::vector<store::AcceptedDifference> accepted;  ///< the valid ones
    std::int64_t lapsed = 0;                 ///< number of accepted differences that are no longer valid
    [[nodiscard]] bool is_complete() const;  ///< every figure is explained
};

/// An account's present records of a kind.
struct AccountRecords {
    bool is_known = false;  ///< the account is there
    store::KindFigures figures;
};
using FindRecords =
    std::function<AccountRecords(const std::string& external_account_number, const std::string& kind)>;

/// Judges which differences are explained. An accepted difference is valid as long as the account has the
/// same records as at that time. The newest valid one of an account and kind counts. `accepted` is ordered by
/// account and kind, the newest first.
///
/// A declared figure is explained when the accepted differences of its kind add up to exactly its difference.
/// For an equal figure that sum has to be 0: otherwise an accepted difference hides one of another account
/// that nobody has accepted.
///
/// - Every accepted difference tells `records`.
/// - An accepted difference tells each other figure by itself if its declared side has sums or no records.
/// - If some tell only an amount, the amounts of the kind (amount:TYPE, quantity:UNIT, gross_amount,
///   amount_total) are explained together, unless one of them is too high and another one too low, or one is
///   not declared; counts of items (amounts, line_items) are not explained.
/// - The number of accounts is explained when as many are missing as have accepted differences and are not
///   known here.
[[nodiscard]] Explanations explain(const store::ControlTotals& totals,
                                   const std::vector<store::AcceptedDifference>& accepted,
                                   const FindRecords& find_records);

}  // namespace data_import::report
