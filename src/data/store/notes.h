// Notes of accounts: table data_import.note.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/database/array_binary.h"
#include "data/database/rows.h"
#include "data/store/import.h"

namespace data_import::store {

/// Stores the notes that the account does not have yet. Safe to retry. `columns`: the fields that
/// payload::note() declares, in their order, then util::uuid_digest() of payload::identity_of_note().
[[nodiscard]] Import import_notes(const ImportTarget& target, std::vector<database::ArrayBinary> columns);

/// The outcome of one note.
struct StoredNote {
    std::string created_at;  ///< created_at as stored, RFC 3339 in UTC
    bool created = false;    ///< false: the account had it already
};

/// The outcome of a request. `notes` has one result for each note, in the order of the request; it is empty
/// unless the verdict is `done`.
struct NotesImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    std::vector<StoredNote> notes;
    /// Indexes of notes without created_at whose unpin_at has passed: they would be unpinned before they are
    /// created. If there are any, nothing was stored.
    std::vector<std::size_t> unpinned_before_creation;
};
[[nodiscard]] NotesImported read_imported_notes(const database::Rows& rows);

}  // namespace data_import::store
