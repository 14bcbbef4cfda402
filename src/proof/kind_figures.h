// The totals of a kind as suppliers' files tell them: what `reconcile` and reports compare.
#pragma once

#include "records/totals.h"
#include "store/reconciliation.h"

namespace data_import::proof {

/// Everything is told.
[[nodiscard]] store::KindFigures figures_of(const records::KindTotals& totals, const records::Kind& kind);

}  // namespace data_import::proof
