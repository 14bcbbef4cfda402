// The figures of a supplier's accounts that need no scan, compared with those of a scan in the same snapshot.
#pragma once

#include <string>
#include <vector>

#include "database.h"

namespace data_import::tests {

/// A sentence for each difference in the counts of states, or in the open accounts with their times and
/// reasons.
[[nodiscard]] std::vector<std::string> wrong_account_figures(AdminSession& database,
                                                             const std::string& supplier);

}  // namespace data_import::tests
