#include "store/notes.h"

#include "store/timestamp.h"
#include "util/array_text.h"
#include "util/crypto.h"

namespace data_import::store {

namespace {

constexpr std::size_t identity_bytes = 16;

// Paths hold no control characters, so a line end keeps them apart; the first byte keeps bodies and paths
// apart.
std::string identity(const Note& note) {
    std::string content(1, note.body ? 'B' : 'D');
    if (note.body) {
        content += *note.body;
    } else {
        for (const std::string_view path : *note.document_paths) (content += path) += '\n';
    }
    return util::to_hex(util::bytes_of(util::sha256(content)).substr(0, identity_bytes));
}

std::string paths_literal(const std::vector<std::string_view>& paths) {
    util::ArrayText literal;
    for (const std::string_view path : paths) literal.add(path);
    return literal.take();
}

void add_optional(util::ArrayText& column, const std::optional<std::string_view>& value) {
    value ? column.add(*value) : column.add_null();
}

}  // namespace

database::Call import_notes(const ImportTarget& target, const std::vector<Note>& notes) {
    util::ArrayText identities, created_at, bodies, document_paths, is_pinned, unpin_at;
    for (const Note& note : notes) {
        identities.add(identity(note));
        add_optional(created_at, note.created_at);
        add_optional(bodies, note.body);
        note.document_paths ? document_paths.add(paths_literal(*note.document_paths))
                            : document_paths.add_null();
        is_pinned.add(note.is_pinned ? "t" : "f");
        add_optional(unpin_at, note.unpin_at);
    }
    return {.name = "import_notes",
            .sql =
                "SELECT verdict, created_at, created FROM data_import.notes_import("
                "data_import.account_key($1, $2), $1, $3, $4, $5, $6, $7, $8, $9, $10)",
            .parameters = {std::string(target.import_supplier), std::string(target.external_account_number),
                           std::string(target.request_id), std::string(target.api_key_id), identities.take(),
                           created_at.take(), bodies.take(), document_paths.take(), is_pinned.take(),
                           unpin_at.take()}};
}

NotesImported read_imported_notes(const database::Rows& rows) {
    NotesImported imported;
    if (rows.text(0, 0) == "unpin_at_before_creation") {
        imported.verdict = ImportVerdict::done;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (rows.boolean(row, 2)) imported.unpinned_before_creation.push_back(row);
        }
        return imported;
    }
    imported.verdict = parse_import_verdict(rows.text(0, 0));
    if (imported.verdict != ImportVerdict::done) return imported;
    imported.notes.reserve(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row) {
        imported.notes.push_back({to_rfc3339(rows.text(row, 1)), rows.boolean(row, 2)});
    }
    return imported;
}

}  // namespace data_import::store
