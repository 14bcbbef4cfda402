#include "api/operators.h"
#include "json/writer.h"
#include "store/control_totals.h"
#include "store/progress.h"
#include "store/progress_json.h"

namespace data_import::api {

namespace {

database::Call plan(const http::Context& context);
http::Reply reply(const http::Context& context, const database::Rows& rows);

}  // namespace

http::Endpoint operator_suppliers() {
    return {.method = "GET",
            .path = "local:/operator/suppliers/",
            .summary = "Tell how far the migrations of all suppliers have come.",
            .needs_token = false,
            .is_public = false,
            .plan = plan,
            .reply = reply};
}

http::Endpoint operator_supplier() {
    return {.method = "GET",
            .path = "local:/operator/suppliers/{import_supplier}/",
            .summary = "Tell the same of one supplier.",
            .needs_token = false,
            .is_public = false,
            .plan = plan,
            .reply = reply};
}

namespace {

database::Call plan(const http::Context& context) {
    return store::find_all_progress(context.segments.empty() ? std::nullopt
                                                             : std::optional(context.segments.front()));
}

void write_oldest(json::Writer& writer, const std::optional<store::OpenAccount>& oldest) {
    writer.key("oldest_in_progress");
    if (!oldest) {
        writer.null();
        return;
    }
    writer.begin_object().key("external_account_number").string(oldest->external_account_number);
    writer.key("since").string(oldest->since).end_object();
}

http::Reply reply(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("suppliers").begin_array();
    for (const store::SupplierProgress& supplier : store::read_all_progress(rows)) {
        writer.begin_object().key("code").string(supplier.code).key("name").string(supplier.name);
        writer.key("status").string(supplier.progress.status);
        store::write_progress(writer, supplier.progress);
        writer.key("verdict").string(store::verdict_word(supplier.differs));
        writer.key("refused_last_hour").integer(supplier.refused_last_hour);
        write_oldest(writer, supplier.oldest);
        writer.end_object();
    }
    return {.body = writer.end_array().end_object().take()};
}

}  // namespace

}  // namespace data_import::api
