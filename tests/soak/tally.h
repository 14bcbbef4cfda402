// Counts in the database, as its administrator, what the ledger says about every import.
#pragma once

#include "../support/stack.h"
#include "verdict.h"

namespace data_import::soak {

/// Nothing must be imported meanwhile. Compares what progress says with the tables, too.
[[nodiscard]] Verdict tally(const tests::Stack& stack, const Book& book, const Ledger& ledger);

}  // namespace data_import::soak
