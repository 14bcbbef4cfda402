#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/json/writer.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "data/store/shared_json.h"
#include "service/api/endpoints.h"
#include "service/api/progress_answer.h"

namespace data_import::api {

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
    if (!progress) throw http::Problem{Code::not_found, http::not_in_scope};
    return {.body = to_json(context.segments.at(0), *progress)};
}

schema::Schema answer() {
    return progress_answer(
        schema::object()
            .need("import_supplier", payload::supplier_code(), payload::about::import_supplier)
            .need("status", supplier_status(), payload::about::status_of_supplier),
        true);
}

}  // namespace

http::Endpoint progress() {
    return {.method = "GET",
            .path = "/v1/data-import/progress/{import_supplier}/",
            .summary = "Return the progress of a supplier's migration.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .answers =
                {{200,
                  "Exact figures at the time `as_of`. `accounts` counts the accounts in each state, "
                  "`records` the stored records by kind. `differing_transactions` counts transactions that "
                  "were sent again with other content, which is not stored (counted within seconds). `rates` "
                  "has the numbers of imported accounts and of stored records of all kinds in the last "
                  "minute, hour and day; repeats do not count. `last_import_at` is the time of the last "
                  "stored record. `estimated_end_at` is when the last account that is staged or in progress "
                  "will be imported at the rate of the last hour. It is `null` if none was imported in the "
                  "last ten minutes or for as long as the rest should take, none is staged or in "
                  "progress, or the supplier is not Ongoing. Failed accounts do not count, because each "
                  "needs another attempt. `stands_still_since` is the time of the last import of a record "
                  "or an account, if nothing has come for ten minutes although accounts of an Ongoing "
                  "supplier are staged or in progress.",
                  answer()}},
            .plan = plan,
            .reply = reply};
}

}  // namespace data_import::api
