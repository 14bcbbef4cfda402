// How payment vendors fare at present: table data_import.payment_vendor_circuit
// (sql/0018-payment-instructions.sql).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "database/call.h"
#include "database/rows.h"

namespace data_import::store {

/// The state of a vendor whose last calls have failed; a vendor that answers has none.
struct CircuitState {
    std::string vendor;
    std::string organisation;  ///< empty: the vendor's own, which holds for all
    std::int64_t failures = 0;
    std::int64_t time_outs = 0;
    std::optional<std::string> open_until;  ///< RFC 3339; nothing while it is closed
    std::string changed_at;                 ///< RFC 3339
};

[[nodiscard]] database::Call find_vendor_circuits();
[[nodiscard]] std::vector<CircuitState> read_vendor_circuits(const database::Rows& rows);

}  // namespace data_import::store
