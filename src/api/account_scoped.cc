#include "api/account_scoped.h"

#include "json/writer.h"
#include "schema/render.h"

namespace data_import::api {

store::ImportTarget import_target(const http::Context& context) {
    return {.import_supplier = context.body().at("import_supplier").text(),
            .external_account_number = context.body().at("external_account_number").text(),
            .request_id = context.request.request_id,
            .api_key_id = context.access->id};
}

namespace {

http::Problem not_ongoing(std::string detail) {
    return http::validation_error({{.attr = "import_supplier",
                                    .code = Code::import_supplier_migration_not_ongoing,
                                    .detail = std::move(detail)}});
}

}  // namespace

void require_done(store::ImportVerdict verdict) {
    switch (verdict) {
        case store::ImportVerdict::done:
        case store::ImportVerdict::repeated:
            return;
        case store::ImportVerdict::supplier_paused:
            throw not_ongoing(
                "The import supplier is paused: repeat the request when the operator says that the migration "
                "goes on.");
        case store::ImportVerdict::supplier_complete:
            throw not_ongoing(
                "The import supplier is complete: its migration is over. Ask the operator where something is "
                "still missing.");
        case store::ImportVerdict::account_not_found:
            throw http::Problem{Code::account_not_found};
    }
}

http::Reply echo(const schema::Schema& payload, const http::Context& context) {
    json::Writer writer;
    if (context.is_success_told) schema::write_validated(writer, payload, context.body());
    return {.status = 201, .body = writer.take()};
}

}  // namespace data_import::api
