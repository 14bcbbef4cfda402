#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/store/import_log.h"
#include "data/store/request_trace.h"
#include "data/store/shared_json.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_refusals = 1000;  // limit on the refused lines shown of one bulk request
constexpr std::size_t id_digits = 32;

const std::string& id_of(const http::Context& context) {
    const std::string& id = context.segments.at(0);
    if (id.size() != id_digits || id.find_first_not_of("0123456789abcdef") != std::string::npos)
        throw http::Problem{Code::not_found, "A request id has 32 hexadecimal digits."};
    return id;
}

/// Returns the account in the path; nothing if the path has no account. Without an account, the answer lists
/// no stored records, because no index leads from an import request to its records.
std::optional<store::AccountName> account_of(const http::Context& context) {
    if (context.segments.size() < 3) return std::nullopt;
    return store::AccountName{context.segments.at(1), context.segments.at(2)};
}

void write_refused(json::Writer& writer, const std::vector<store::KeptRefusal>& refusals) {
    writer.key("refused").begin_array();
    for (const store::KeptRefusal& kept : refusals) {
        const store::Refusal& refusal = kept.refusal;
        store::write_account_of(writer.begin_object(), kept);
        writer.key("at").string(kept.at).key("line").integer(static_cast<std::int64_t>(refusal.line));
        writer.key("endpoint").string(refusal.endpoint).key("status").integer(refusal.status);
        writer.key("code").string(refusal.code).key("api_key_id").string(refusal.api_key_id);
        store::write_detail(writer, refusal);
        store::write_places(writer.key("places"), refusal.places);
        writer.end_object();
    }
    writer.end_array();
}

void write_counted(json::Writer& writer, const std::vector<store::LoggedRefusal>& counted) {
    writer.key("counted").begin_array();
    for (const store::LoggedRefusal& one : counted) {
        writer.begin_object().key("import_supplier").string(one.kind.import_supplier);
        writer.key("at").string(one.last_at).key("endpoint").string(one.kind.endpoint);
        writer.key("status").integer(one.kind.status).key("code").string(one.kind.code);
        writer.key("item_code").string(one.kind.item_code).key("attr").string(one.kind.attr);
        writer.key("detail").string(one.detail).end_object();
    }
    writer.end_array();
}

void write_stored(json::Writer& writer, const std::vector<store::StoredRecords>& stored) {
    writer.key("stored").begin_array();
    for (const store::StoredRecords& records : stored) {
        writer.begin_object().key("kind").string(records.kind).key("records").integer(records.records);
        writer.key("imported_at").string(records.imported_at);
        writer.key("api_key_id").string(records.api_key_id).end_object();
    }
    writer.end_array();
}

void answer(const http::Context& context, database::Database& database, http::Responder& responder) {
    const std::string& id = id_of(context);
    const auto account = account_of(context);
    store::LastRefusalFilter filter{.request_id = id, .most = most_refusals};
    if (account) {
        filter.import_supplier = account->import_supplier;
        filter.external_account_number = account->external_account_number;
    }
    json::Writer writer;
    writer.begin_object().key("request_id").string(id);
    write_refused(writer, store::list_last_refusals(database, filter, context.deadline));
    writer.key("refused_lines");
    if (const auto lines = store::count_refused_lines(database, id, context.deadline); lines && !account)
        writer.integer(*lines);
    else
        writer.null();
    write_counted(writer, store::list_refusals_of_sample(database, id, context.deadline));
    if (account)
        write_stored(writer, store::find_records_of_request(
                                 database, id, account, [](std::string_view) {}, context.deadline));
    responder.send({.body = writer.end_object().take()});
}

}  // namespace

http::Endpoint operator_request() {
    return for_operators("local:/operator/request/{request_id}/",
                         "Return why a request was refused, if that is kept.", answer);
}

http::Endpoint operator_request_of_account() {
    return for_operators("local:/operator/request/{request_id}/{import_supplier}/{external_account_number}/",
                         "Return the same for one account, and what the request stored in it.", answer);
}

}  // namespace data_import::api
