#include <set>
#include <string>

#include "base/util/datetime.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/payload/declarations.h"

namespace data_import::payload {

namespace {

using schema::array;
using schema::boolean;
using schema::datetime;
using schema::document_path;
using schema::object;
using schema::text;

// Reports a note whose unpin_at is before its created_at. A note without created_at is left to the database,
// because it may be a repeat of a note whose stored time is early enough.
void is_unpinned_after_creation(const json::Value& note, schema::Report& report) {
    const auto created_at = note.find("created_at");
    const auto unpin_at = note.find("unpin_at");
    if (!created_at || !unpin_at) return;
    if (util::parse_datetime(unpin_at->text()) >= util::parse_datetime(created_at->text())) return;
    report.add("unpin_at", Code::note_unpin_at_earlier_than_creation_date, std::string(unpinned_too_early));
}

}  // namespace

schema::Object note() {
    const auto paths = array(object().need("document_path", document_path(), about::document_path));
    return object()
        .may("body", text(1, 65536), "Text of the note. A note needs `body` or `document_paths`.")
        .may("document_paths", paths.min(1).max(100).columns("document_paths"),
             "Documents of the note. A note needs `body` or `document_paths`.")
        .may("created_at", datetime(), "When the note was written; the present time if left out.")
        .may("is_pinned", boolean(),
             "Whether the note is at the top of the account's page; false if left out.")
        .may("unpin_at", datetime(), "When a pinned note becomes unpinned. Other notes ignore it.")
        .need_one_of({"body", "document_paths"}, Code::note_body_or_document_path_not_found,
                     "A note needs a body or document_paths.")
        .rule({"created_at", "unpin_at"}, is_unpinned_after_creation);
}

// The first byte says whether a body (`B`) or the paths of documents (`D`) follow. Line ends separate paths,
// which hold no control characters.
std::string identity_of_note(const json::Value& note) {
    if (const auto body = note.find("body")) return std::string("B").append(body->text());
    std::string paths = "D";
    for (const json::Value path : note.at("document_paths").items())
        (paths += path.at("document_path").text()) += '\n';
    return paths;
}

std::vector<std::size_t> unpinned_before_creation(const json::Value& notes, util::Instant now) {
    std::vector<std::size_t> places;
    std::set<std::string> known;
    std::size_t place = 0;
    for (const json::Value note : notes.items()) {
        const bool is_first = known.insert(identity_of_note(note)).second;
        const auto unpin_at = note.find("unpin_at");
        if (is_first && unpin_at && !note.find("created_at") && util::parse_datetime(unpin_at->text()) < now)
            places.push_back(place);
        ++place;
    }
    return places;
}

schema::Object notes() {
    return account_scoped().need("notes", array(note()).min(1).max(1000), "The notes, in any order.");
}

}  // namespace data_import::payload
