// How a supplier's migration fares, in a word. The page of migrations tells the same with more words:
// nginx/migration/src/state.tsx.
#pragma once

#include <string>
#include <string_view>

#include "data/store/progress.h"

namespace data_import::ctl {

/// The planned day is over, and something is still to come: accounts that are not imported, or records, if
/// the totals differ and no signed report tells why. Never of a Complete supplier.
[[nodiscard]] bool is_late(const store::SupplierProgress& supplier);

/// `late`, `stands_still`, `needs_attention`, ..., the gravest that applies.
[[nodiscard]] std::string_view state_of(const store::SupplierProgress& supplier);

/// `3 failed, 20 refused`: the figures that were acknowledged.
[[nodiscard]] std::string acknowledged_text(const store::Acknowledgement& known);

}  // namespace data_import::ctl
