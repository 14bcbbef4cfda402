#include "store/progress.h"
#include "api/endpoints.h"
#include "json/writer.h"

namespace data_import::api {

namespace {

store::Call plan(const http::Context& context) {
    return store::find_progress(context.segments.at(0));
}

void write_arrivals(json::Writer& writer, std::string_view name, const store::Arrivals& arrivals) {
    writer.key(name).begin_object().key("accounts").integer(arrivals.accounts);
    writer.key("records").integer(arrivals.records).end_object();
}

void write_time(json::Writer& writer, std::string_view name, const std::optional<std::string>& time) {
    writer.key(name);
    time ? writer.string(*time) : writer.null();
}

std::string to_json(const std::string& import_supplier, const store::MigrationProgress& progress) {
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(import_supplier);
    writer.key("status").string(progress.status).key("as_of").string(progress.as_of);
    writer.key("accounts").begin_object();
    for (std::size_t state = 0; state < store::account_states.size(); ++state)
        writer.key(store::account_states[state]).integer(progress.accounts[state]);
    writer.end_object().key("records").begin_object();
    for (const auto& [kind, count] : progress.records) writer.key(kind).integer(count);
    writer.end_object().key("rates").begin_object();
    write_arrivals(writer, "last_minute", progress.last_minute);
    write_arrivals(writer, "last_hour", progress.last_hour);
    write_arrivals(writer, "last_day", progress.last_day);
    writer.end_object();
    write_time(writer, "last_import_at", progress.last_import_at);
    write_time(writer, "estimated_end_at", progress.estimated_end_at);
    return writer.end_object().take();
}

http::Reply reply(const http::Context& context, const store::Rows& rows) {
    const auto progress = store::read_progress(rows);
    if (!progress) throw http::Problem{http::Code::not_found};
    return {.body = to_json(context.segments.at(0), *progress)};
}

schema::Schema answer() {
    const auto count = schema::integer(0);
    schema::Object accounts = schema::object();
    for (const std::string_view state : store::account_states) accounts = accounts.need(state, count);
    schema::Object records = schema::object();
    for (const store::RecordTable& kind : store::record_tables()) records = records.need(kind.name, count);
    const auto arrivals = schema::object().need("accounts", count).need("records", count);
    return schema::object()
        .need("import_supplier", schema::text(1, 64))
        .need("status", schema::choice({"Ongoing", "Paused", "Complete"}))
        .need("as_of", schema::datetime())
        .need("accounts", accounts)
        .need("records", records)
        .need("rates", schema::object()
                           .need("last_minute", arrivals)
                           .need("last_hour", arrivals)
                           .need("last_day", arrivals))
        .need("last_import_at", schema::nullable(schema::datetime()))
        .need("estimated_end_at", schema::nullable(schema::datetime()));
}

}  // namespace

http::Endpoint progress() {
    return {
        .method = "GET",
        .path = "/v1/data-import/progress/{import_supplier}/",
        .summary = "Tell how far the migration of a supplier has come.",
        .supplier = http::SupplierIn::first_segment,
        .answers = {{200,
                     "Exact figures at the time `as_of`. `accounts` counts the accounts in each state, "
                     "`records` what has been stored, by kind. `rates` tells how many accounts were imported "
                     "and how many records of all kinds were stored in the last minute, hour and day; "
                     "repeats count nowhere. `last_import_at` is when a record was stored last. "
                     "`estimated_end_at` is when the last pending account will be imported if it goes on as "
                     "in the last hour: `null` when none was imported, none is pending, or the supplier is "
                     "not Ongoing.",
                     answer()}},
        .plan = plan,
        .reply = reply};
}

}  // namespace data_import::api
