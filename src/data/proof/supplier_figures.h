// Adds the figures of all records of a supplier up, account by account, and compares them with the stored
// totals.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/util/decimal_sum.h"
#include "data/records/totals.h"
#include "data/store/control_totals.h"

namespace data_import::proof {

class SupplierFigures {
public:
    void add(const records::AccountTotals& account);

    [[nodiscard]] std::int64_t accounts() const { return accounts_; }
    [[nodiscard]] std::int64_t records() const { return records_; }

    /// Returns the figures whose stored totals differ from the sums over the records. In each figure, `held`
    /// is the stored total, and `declared` is the sum over the records; a value that is missing is 0.
    /// `totals` has to have all figures (ControlTotals::left_out is empty).
    [[nodiscard]] std::vector<store::ControlFigure> differences(const store::ControlTotals& totals) const;

private:
    std::int64_t accounts_ = 0;
    std::int64_t records_ = 0;
    /// Sums of the figures, by kind and name of the figure.
    std::map<std::pair<std::string, std::string>, util::DecimalSum> figures_;
};

/// Describes a figure that differs: `notes records 2 in the records, 4 in the totals`.
[[nodiscard]] std::string describe_wrong_total(const store::ControlFigure& figure);

}  // namespace data_import::proof
