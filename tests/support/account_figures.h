// Tests the figures of a supplier's accounts, which the service gives without a scan: compares them with the
// result of a scan in the same snapshot.
#pragma once

#include <string>
#include <vector>

#include "database.h"

namespace data_import::tests {

/// Compares what the service's functions return about the supplier's accounts with a scan of the table of
/// accounts. Returns a sentence for each difference. Compares the number of accounts in each state, and the
/// lists of accounts in progress and of failed accounts, with times and reasons.
[[nodiscard]] std::vector<std::string> wrong_account_figures(AdminSession& database,
                                                             const std::string& supplier);

}  // namespace data_import::tests
