// Differences that operators have accepted, as `reconcile` leaves them: table
// data_import.accepted_difference.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "database/database.h"
#include "store/reconciliation.h"

namespace data_import::store {

struct AcceptedDifference {
    Difference difference;  ///< as it was when it was accepted
    Acceptance acceptance;
};

/// All accepted differences of a supplier's accounts, valid or not, by account (by code point) and kind, the
/// newest first; at most so many.
[[nodiscard]] database::Call list_accepted_differences(std::string_view import_supplier, std::size_t most);
[[nodiscard]] std::vector<AcceptedDifference> read_accepted_differences(const database::Rows& rows);

}  // namespace data_import::store
