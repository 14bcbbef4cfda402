#include "api/endpoints.h"
#include "database/call.h"
#include "database/rows.h"
#include "json/writer.h"
#include "store/progress_json.h"

namespace data_import::api {

namespace {

database::Call plan(const http::Context& context);
http::Reply reply(const http::Context& context, const database::Rows& rows);
schema::Schema answer();

}  // namespace

http::Endpoint progress() {
    return {.method = "GET",
            .path = "/v1/data-import/progress/{import_supplier}/",
            .summary = "Tell how far the migration of a supplier has come.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .answers =
                {{200,
                  "Exact figures at the time `as_of`. `accounts` counts the accounts in each state, "
                  "`records` what has been stored, by kind; `differing_transactions` how often transactions "
                  "were sent again with other content, which is not stored (counted within seconds). `rates` "
                  "tells how many accounts were imported "
                  "and how many records of all kinds were stored in the last minute, hour and day; "
                  "repeats count nowhere. `last_import_at` is when a record was stored last. "
                  "`estimated_end_at` is when the last pending account will be imported if it goes on as "
                  "in the last hour: `null` when none was imported, none is pending, or the supplier is "
                  "not Ongoing.",
                  answer()}},
            .plan = plan,
            .reply = reply};
}

namespace {

database::Call plan(const http::Context& context) {
    return store::find_progress(context.segments.at(0));
}

std::string to_json(const std::string& import_supplier, const store::MigrationProgress& progress) {
    json::Writer writer;
    writer.begin_object().key("import_supplier").string(import_supplier);
    writer.key("status").string(progress.status);
    store::write_progress(writer, progress);
    return writer.end_object().take();
}

http::Reply reply(const http::Context& context, const database::Rows& rows) {
    const auto progress = store::read_progress(rows);
    if (!progress) throw http::Problem{Code::not_found};
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
        .need("differing_transactions", count)
        .need("rates", schema::object()
                           .need("last_minute", arrivals)
                           .need("last_hour", arrivals)
                           .need("last_day", arrivals))
        .need("last_import_at", schema::nullable(schema::datetime()))
        .need("estimated_end_at", schema::nullable(schema::datetime()));
}

}  // namespace

}  // namespace data_import::api
