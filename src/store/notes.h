// Notes of accounts: table data_import.note.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/rows.h"
#include "store/import.h"

namespace data_import::store {

/// One note as sent; all texts have been checked.
struct Note {
    std::string identity_digest;  ///< content_digest() of payload::identity_of_note()
    std::optional<std::string_view> body = {};
    std::optional<std::vector<std::string_view>> document_paths = {};
    std::optional<std::string_view> created_at = {};  ///< RFC 3339
    std::optional<bool> is_pinned = {};
    std::optional<std::string_view> unpin_at = {};  ///< RFC 3339
};

/// What became of one note.
struct StoredNote {
    std::string created_at;  ///< as stored, RFC 3339 in UTC
    bool created = false;    ///< false: the account had it already
};

/// Stores the notes that the account does not have yet. Safe to repeat.
[[nodiscard]] Import import_notes(const ImportTarget& target, const std::vector<Note>& notes);

/// One result per note in the order of the request; empty unless the verdict is `done`.
struct NotesImported {
    ImportVerdict verdict = ImportVerdict::account_not_found;
    std::vector<StoredNote> notes;
    /// Indexes of notes that would be created now and are to be unpinned earlier. With any, nothing was
    /// stored.
    std::vector<std::size_t> unpinned_before_creation;
};
[[nodiscard]] NotesImported read_imported_notes(const database::Rows& rows);

}  // namespace data_import::store
