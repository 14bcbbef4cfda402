#include "store/vendor_circuits.h"

#include "store/column_text.h"

namespace data_import::store {

database::Call find_vendor_circuits() {
    return {.name = "find_vendor_circuits",
            .sql =
                "SELECT vendor, organisation, failures, time_outs, open_until, changed_at "
                "FROM data_import.payment_vendor_circuit ORDER BY vendor, organisation LIMIT 1000"};
}

std::vector<CircuitState> read_vendor_circuits(const database::Rows& rows) {
    std::vector<CircuitState> circuits;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        circuits.push_back({.vendor = std::string(rows.text(row, 0)),
                            .organisation = std::string(rows.text(row, 1)),
                            .failures = rows.integer(row, 2),
                            .time_outs = rows.integer(row, 3),
                            .open_until = optional_time(rows, row, 4),
                            .changed_at = to_rfc3339(rows.text(row, 5))});
    }
    return circuits;
}

}  // namespace data_import::store
