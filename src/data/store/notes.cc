#include "data/store/notes.h"

#include <string>
#include <utility>

namespace data_import::store {

namespace {

enum Column : std::size_t { request, verdict, created_at, created };

}  // namespace

Import import_notes(const ImportTarget& target, std::vector<database::ArrayBinary> columns) {
    static const ImportFunction function{"import_notes",
                                         import_sql("notes_import", "request, verdict, created_at, created",
                                                    request_types.size() + 1 + columns.size())};
    Import import(function, target);
    import.rows.emplace_back(std::move(columns), 1);
    return import;
}

NotesImported read_imported_notes(const database::Rows& rows) {
    NotesImported imported;
    if (rows.text(0, Column::verdict) == "unpin_at_before_creation") {
        imported.verdict = ImportVerdict::done;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.boolean(row, Column::created)) imported.unpinned_before_creation.push_back(row);
        }
        return imported;
    }
    imported.verdict = read_import_verdict(rows);
    if (imported.verdict != ImportVerdict::done) return imported;
    imported.notes = rows.each([](const database::Row& row) {
        return StoredNote{row.time(Column::created_at), row.boolean(Column::created)};
    });
    return imported;
}

}  // namespace data_import::store
