#include <algorithm>

#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/proof/last_records.h"
#include "data/records/kinds.h"
#include "data/store/access_events.h"
#include "data/store/import.h"
#include "data/store/records.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_records = 100;
constexpr std::string_view before = "before";

/// Returns the key of the account that the path of the request names. Throws Problem if there is no such
/// account.
std::string account_key_of(const http::Context& context, database::Database& database) {
    const std::string& supplier = context.segments.at(0);
    const std::string& number = context.segments.at(1);
    if (store::find_accounts(database, supplier, {&number, 1}, context.deadline).empty())
        throw http::Problem{Code::not_found, "This import supplier has no such account."};
    return store::account_key(supplier, number);
}

const records::Kind& kind_of(const http::Context& context) {
    const records::Kind* const kind = records::find_kind(context.segments.at(2));
    if (kind == nullptr) throw http::Problem{Code::not_found, "There are no records of this kind."};
    return *kind;
}

std::string cursor_of(const http::Context& context) {
    const auto sent = context.query.values.find(before);
    if (sent == context.query.values.end()) return "";
    if (!proof::is_record_cursor(sent->second))
        throw http::validation_error({{.attr = std::string(before),
                                       .code = Code::invalid,
                                       .detail = "This is no cursor of an answer of this address."}});
    return sent->second;
}

void write(json::Writer& writer, const proof::SeenRecord& record) {
    writer.begin_object().key("imported_at").string(record.imported_at);
    writer.key("request_id").string(record.request_id).key("api_key_id").string(record.api_key_id);
    writer.key("moved_to").string_or_null(record.moved_to);
    writer.key("record").raw(record.json).end_object();
}

/// Writes to the audit history that somebody looked at the records, and then answers with them.
void answer(const http::Context& context, database::Database& database, http::Responder& responder) {
    const records::Kind& kind = kind_of(context);
    const std::string cursor = cursor_of(context);
    const std::string account_key = account_key_of(context, database);
    store::record_seen_records(database, context.segments.at(0), account_key, kind.name, context.deadline);
    const proof::SeenRecords seen =
        proof::read_last_records(database, kind, account_key, cursor, most_records, context.deadline);
    json::Writer writer;
    writer.begin_object().key("kind").string(kind.name).key("records").begin_array();
    for (const proof::SeenRecord& record : seen.records) write(writer, record);
    writer.end_array().key("before").string_or_null(seen.cursor);
    responder.send({.body = writer.end_object().take()});
}

void refuse(const http::Context&, database::Database&, http::Responder&) {
    throw http::Problem{Code::not_found,
                        "Records are not shown here: the setting operators_see_records is `no`."};
}

}  // namespace

http::Endpoint operator_records(bool are_shown) {
    return for_operators(
        "local:/operator/records/{import_supplier}/{external_account_number}/{kind}/",
        "Show the last records of one kind of an account as they were sent, and record that in the "
        "audit history.",
        are_shown ? answer : refuse,
        {{.name = before, .description = "Cursor of the answer before.", .is_text = true}});
}

}  // namespace data_import::api
