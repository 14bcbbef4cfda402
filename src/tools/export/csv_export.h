// Exports the views of the schema platform as CSV.
#pragma once

#include <vector>

#include "data/database/database.h"
#include "data/store/exported_views.h"
#include "tools/export/record_export.h"
#include "tools/export/request.h"
#include "tools/export/sessions.h"

namespace data_import::exports {

/// Returns the views to export: first the view of the accounts, then the views of the kinds that `request`
/// asks for.
[[nodiscard]] std::vector<store::ExportedView> views_of(database::Database& database, const Request& request,
                                                        database::Deadline deadline);

/// Writes the rows of a view that belong to the export: a header, then a record of CSV for each row. Texts
/// are in quotes, and an empty field is null.
void export_view(database::Database& database, const store::ExportedView& view, const Request& request,
                 const AccountRanges& ranges, Progress& progress, const BulkLines::Sink& sink);

}  // namespace data_import::exports
