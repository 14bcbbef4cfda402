#include <algorithm>

#include "base/util/crypto.h"
#include "data/database/rows.h"
#include "data/json/writer.h"
#include "data/payload/declarations.h"
#include "data/payload/imports.h"
#include "data/store/columns.h"
#include "data/store/notes.h"
#include "service/api/account_scoped.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

using schema::array;
using schema::boolean;
using schema::datetime;
using schema::object;
using schema::text;

constexpr Code too_early_code = Code::note_unpin_at_earlier_than_creation_date;

store::Import import(const http::Context& context) {
    static const schema::Object declared = payload::note();
    const json::Value notes = context.body().at("notes");
    std::vector<database::ArrayBinary> columns = store::columns_of(declared, notes).columns;
    database::ArrayBinary& identities = columns.emplace_back(database::ElementType::uuid);
    for (const json::Value note : notes.items())
        identities.add(util::uuid_digest(payload::identity_of_note(note)));
    return store::import_notes(import_target(context), std::move(columns));
}

void require_unpinned_after_creation(const store::NotesImported& imported, const json::Value& notes) {
    std::vector<schema::Violation> violations;
    for (const std::size_t index : imported.unpinned_before_creation) {
        if (violations.size() == schema::max_violations) break;
        violations.push_back(schema::violation_of("notes." + std::to_string(index) + ".unpin_at",
                                                  too_early_code, std::string(payload::unpinned_too_early),
                                                  notes.item(index).at("unpin_at")));
    }
    if (!violations.empty()) throw http::validation_error(std::move(violations));
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    const store::NotesImported imported = store::read_imported_notes(rows);
    require_done(imported.verdict);
    require_unpinned_after_creation(imported, context.body().at("notes"));
    json::Writer writer;
    writer.begin_array();
    auto stored = imported.notes.begin();
    std::size_t created = 0;
    for (const json::Value sent : context.body().at("notes").items()) {
        writer.begin_object().key("created_at").string(stored->created_at);
        const auto body = sent.find("body");
        writer.key("body").string_or_null(body ? std::optional(body->text()) : std::nullopt);
        writer.key("status")
            .string(stored->created ? "NOTE_CREATION_SUCCESS" : "NOTE_ALREADY_EXISTS")
            .end_object();
        if (stored->created) ++created;
        ++stored;
    }
    writer.end_array();
    return {.status = 201, .body = writer.take(), .stored = created};
}

schema::Schema answer() {
    return array(object()
                     .need("created_at", datetime(), "When the note was written, as stored.")
                     .need("body", schema::nullable(text(1, 65536)),
                           "Text of the note; null if it has only documents.")
                     .need("status", schema::choice({"NOTE_CREATION_SUCCESS", "NOTE_ALREADY_EXISTS"}),
                           "Whether the note is new, or the account had it already."));
}

}  // namespace

http::Endpoint notes_create() {
    const payload::DeclaredImport& declared = payload::import_of("notes");
    return {.method = "POST",
            .path = declared.path,
            .summary = "Add notes to an imported account. A note that it has already is not added again.",
            .tag = http::Tag::account_data,
            .supplier = http::SupplierIn::body,
            .stores = declared.stores,
            .identity =
                "Two notes of an account are the same if they have the same body (without a body: the same "
                "document paths) and the same `created_at`, or if the later one was sent without "
                "`created_at`.",
            .body = declared.body,
            .answers = {{201, "The result for each note, in the order of the request.", answer()}},
            .rule_codes = {Code::note_body_or_document_path_not_found,
                           Code::note_unpin_at_earlier_than_creation_date},
            .import = import,
            .reply = reply};
}

}  // namespace data_import::api
