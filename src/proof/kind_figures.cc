#include "proof/kind_figures.h"

#include <utility>

namespace data_import::proof {

store::KindFigures figures_of(const records::KindTotals& totals, const records::Kind& kind) {
    store::Sums sums;
    for (const auto& [figure, sum] : totals.sums) sums[figure] = sum.to_text();
    return {.records = totals.records,
            .amount = records::amount_of(totals, kind),
            .fingerprint = totals.fingerprint.to_text(),
            .sums = std::move(sums)};
}

}  // namespace data_import::proof
