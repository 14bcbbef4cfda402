// The state of a supplier's migration, in a word. The page of migrations shows the same state with more
// words: nginx/migration/src/state.tsx.
#pragma once

#include <string>
#include <string_view>

#include "data/store/progress.h"

namespace data_import::ctl {

/// Returns whether the planned day is over, and something is still to come: accounts that are not imported,
/// or records, if the totals differ and no signed report explains why. False for a Complete supplier.
[[nodiscard]] bool is_late(const store::SupplierProgress& supplier);

/// Returns the worst of the states that apply: `late`, `stands_still`, `needs_attention`, ...
[[nodiscard]] std::string_view state_of(const store::SupplierProgress& supplier);

}  // namespace data_import::ctl
