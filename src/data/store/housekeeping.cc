#include "data/store/housekeeping.h"

namespace data_import::store {

database::Call housekeeping(const Retention& retention) {
    return {.name = "housekeeping",
            .sql =
                "SELECT data_import.housekeeping($1, $2, $3::text::interval), "
                "data_import.measure_kept_answers($3::text::interval)",
            .parameters = {std::to_string(retention.import_log_days), std::to_string(retention.events_days),
                           std::to_string(retention.idempotency_keys.count()) + " seconds"}};
}

}  // namespace data_import::store
