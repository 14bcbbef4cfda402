#include "store/notes.h"

#include <array>

#include "store/column_text.h"
#include "util/array_text.h"

namespace data_import::store {

namespace {

enum Column : std::size_t { request, verdict, created_at, created };

std::string paths_literal(const std::vector<std::string_view>& paths) {
    util::ArrayText literal;
    for (const std::string_view path : paths) literal.add(path);
    return literal.take();
}

using enum util::ElementType;

// in the order of data_import.notes_import
constexpr std::array note_types = {uuid, timestamptz, text, text, boolean, timestamptz};
constexpr ImportFunction function{"import_notes",
                                  "SELECT request, verdict, created_at, created FROM "
                                  "data_import.notes_import($1, $2, $3, $4, $5, $6, $7, $8, "
                                  "$9, $10, $11)"};

}  // namespace

Import import_notes(const ImportTarget& target, const std::vector<Note>& notes) {
    Import import(function, target);
    RowSet& rows = import.rows.emplace_back(note_types);
    for (const Note& note : notes) {
        const std::optional<std::string> paths =
            note.document_paths ? std::optional(paths_literal(*note.document_paths)) : std::nullopt;
        rows.add(1, {note.identity_digest, note.created_at, note.body, paths, truth_of(note.is_pinned),
                     note.unpin_at});
    }
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
    imported.notes.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        imported.notes.push_back(
            {to_rfc3339(rows.text(row, Column::created_at)), rows.boolean(row, Column::created)});
    }
    return imported;
}

}  // namespace data_import::store
