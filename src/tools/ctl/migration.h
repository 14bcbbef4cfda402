// The progress of a migration, as `supplier show` prints it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "data/json/writer.h"
#include "data/store/control_totals.h"
#include "data/store/import_log.h"
#include "data/store/progress.h"

namespace data_import::ctl {

/// The state of a supplier's migration.
struct Migration {
    store::MigrationProgress progress;
    store::ControlTotals totals;  ///< control totals of the same moment as `progress`
    /// Last refusal in the import log; nothing if there is none.
    std::optional<store::LoggedRefusal> last_error;
    std::optional<std::string> planned_end = {};  ///< planned last day, YYYY-MM-DD
    bool is_late = false;
};

/// Writes progress and last error as members of an open object.
void write_migration(json::Writer& writer, const Migration& migration);

/// Returns a bar, figures and rates for people, in at most 100 columns.
[[nodiscard]] std::string migration_text(const Migration& migration);

/// Returns how many per cent of the accounts are imported, rounded down: `97.1 %`; empty if there are no
/// accounts.
[[nodiscard]] std::string percentage_text(const store::MigrationProgress& progress);

/// Returns `done` as a share of `all`: `[####----]  41.3 %`. The percentage is rounded down, so that it is
/// 100 % only if all is done.
[[nodiscard]] std::string progress_bar(std::int64_t done, std::int64_t all);

}  // namespace data_import::ctl
