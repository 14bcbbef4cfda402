#include "api/validated_import.h"

#include <string>

#include "api/account_scoped.h"
#include "api/rules.h"
#include "database/rows.h"
#include "json/writer.h"
#include "schema/render.h"
#include "schema/row.h"
#include "store/content_digest.h"

namespace data_import::api {

namespace {

http::Reply reply(const schema::Schema& payload, const http::Context& context, const database::Rows& rows);

}  // namespace

http::Endpoint validated_import(const ValidatedImport& declared) {
    const schema::Object payload = account_scoped().need(declared.field, declared.document);
    return {.method = "POST",
            .path = declared.path,
            .summary = declared.summary,
            .tag = http::Tag::account_data,
            .supplier = http::SupplierIn::body,
            .body = payload,
            .example = declared.example,
            .answers = {{.status = 201,
                         .description = "The account has it, from this request or an earlier one of the same "
                                        "content. The body is that of the request, as validated.",
                         .body = payload}},
            .rule_codes = {Code::period_end_before_start},
            .plan =
                [declared](const http::Context& context) {
                    const json::Value document = context.body().at(declared.field);
                    return store::import_document(
                        declared.kind, import_target(context),
                        {store::content_digest(schema::canonical(declared.document, document)),
                         schema::row_json(declared.document, document)});
                },
            .reply = [payload](const http::Context& context,
                               const database::Rows& rows) { return reply(payload, context, rows); }};
}

namespace {

http::Reply reply(const schema::Schema& payload, const http::Context& context, const database::Rows& rows) {
    require_done(store::read_imported_document(rows));
    json::Writer writer;
    schema::write_validated(writer, payload, context.body());
    return {.status = 201, .body = writer.take()};
}

}  // namespace

void check_document_period(const json::Value& object, schema::Report& report) {
    check_period(object, "period_start_at", "period_end_at", report);
}

}  // namespace data_import::api
