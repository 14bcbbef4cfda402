// The regular upkeep of the database: data_import.housekeeping (sql/schema/31-upkeep.sql), which also
// measures the kept answers.
#pragma once

#include <chrono>
#include <cstddef>

#include "data/database/call.h"

namespace data_import::store {

/// The times after which rows are deleted.
struct Retention {
    std::size_t import_log_days = 0;
    std::size_t events_days = 0;
    std::chrono::seconds idempotency_keys{};
};

/// Sums up receipts, purges expired rows, and measures the kept answers. The first value of the answer is
/// true if work is left: then call it again within a second or so. Otherwise, workers of all hosts call it
/// every 10 seconds or so. Only one call at a time works, on a bounded number of rows, for a second or two at
/// most; the others return at once.
///
/// Without these calls, figures stay right, but take longer to read.
[[nodiscard]] database::Call housekeeping(const Retention& retention);

}  // namespace data_import::store
