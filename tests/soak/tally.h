// Counts the ledger's imports in the database, as its administrator.
#pragma once

#include "../support/stack.h"
#include "verdict.h"

namespace data_import::soak {

/// No import may run meanwhile. Compares the progress figures with the tables, too.
[[nodiscard]] Verdict tally(const tests::Stack& stack, const Book& book, const Ledger& ledger);

}  // namespace data_import::soak
