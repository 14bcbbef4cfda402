// The progress of a migration as JSON, as the interface and data-importctl give it.
#pragma once

#include "json/writer.h"
#include "store/progress.h"

namespace data_import::store {

/// Members of an object that is open: `as_of`, `accounts`, `records`, `differing_transactions`, `rates`,
/// `last_import_at` and `estimated_end_at`, in this order.
void write_progress(json::Writer& writer, const MigrationProgress& progress);

}  // namespace data_import::store
