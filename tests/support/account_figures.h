// Tests the figures of a supplier's accounts, which the service gives without a scan: compares them with the
// result of a scan in the same snapshot.
#pragma once

#include <string>
#include <vector>

#include "database.h"

namespace data_import::tests {

/// Returns a sentence for each difference between what the service's functions return about the supplier's
/// accounts and a scan of the table of accounts. Compares the number of accounts in each state, and the lists
/// of accounts in progress and of failed accounts, with times and reasons.
[[nodiscard]] std::vector<std::string> wrong_account_figures(AdminSession& database,
                                                             const std::string& supplier);

}  // namespace data_import::tests
