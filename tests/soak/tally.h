// Counts in the database what is stored of the imports that the clients' ledger lists. Reads the database as
// its administrator.
#pragma once

#include "../support/stack.h"
#include "verdict.h"

namespace data_import::soak {

/// Compares the ledger, the progress figures and the control totals with the stored records. No import may
/// run meanwhile.
[[nodiscard]] Verdict tally(const tests::Stack& stack, const Book& book, const Ledger& ledger);

}  // namespace data_import::soak
