// The regular upkeep of the database: data_import.housekeeping (sql/schema/31-upkeep.sql), and the measure of
// kept answers.
#pragma once

#include <chrono>
#include <cstddef>

#include "data/database/call.h"

namespace data_import::store {

/// The times for which rows are kept.
struct Retention {
    std::size_t import_log_days = 0;
    std::size_t events_days = 0;
    std::chrono::seconds idempotency_keys{};
};

/// Sums up receipts, purges expired rows, and measures the kept answers. Any number of sessions may call it:
/// one of them does the work on a bounded number of rows, which takes a second or two where there is much,
/// the others are answered at once. To be called every 10 seconds or so by any session of an installation;
/// until then figures stay right, but cost more.
/// The first value is true where there is more work than one call does: call it again soon, within a second
/// or so.
[[nodiscard]] database::Call housekeeping(const Retention& retention);

}  // namespace data_import::store
