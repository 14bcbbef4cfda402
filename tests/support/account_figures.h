// What is told of a supplier's accounts without reading them, beside what a scan of them says in the same
// snapshot.
#pragma once

#include <string>
#include <vector>

#include "database.h"

namespace data_import::tests {

/// A sentence for each difference: counts of states, and which accounts are open, since when and why.
[[nodiscard]] std::vector<std::string> wrong_account_figures(AdminSession& database,
                                                             const std::string& supplier);

}  // namespace data_import::tests
