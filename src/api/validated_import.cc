#include "api/validated_import.h"

#include <utility>

#include "api/account_scoped.h"
#include "database/rows.h"
#include "payload/imports.h"
#include "records/kinds.h"
#include "records/totals.h"
#include "schema/content.h"
#include "schema/row.h"
#include "store/content_digest.h"
#include "store/documents.h"

namespace data_import::api {

namespace {

store::Import import(const payload::Import& declared, const http::Context& context) {
    const records::Kind& kind = records::kind_of(declared.stores);
    const json::Value document = context.body().at(declared.field);
    schema::Row row = schema::row_of(kind.record, document);
    return store::import_document(
        kind.name, import_target(context),
        {.content_digest = store::content_digest(schema::content_text(kind.record, document)),
         .row = std::move(row.text),
         .item_columns = std::move(row.columns),
         .figures = records::figures_of(kind, document)});
}

http::Reply reply(const schema::Schema& payload, const http::Context& context, const database::Rows& rows) {
    const store::ImportVerdict verdict = store::read_import_verdict(rows);
    require_done(verdict);
    http::Reply reply = echo(payload, context);
    if (verdict == store::ImportVerdict::done) reply.stored = 1;
    return reply;
}

}  // namespace

http::Endpoint validated_import(const ValidatedImport& declared) {
    const payload::Import& document = *payload::find_import(declared.path);
    return {.method = "POST",
            .path = declared.path,
            .summary = declared.summary,
            .tag = http::Tag::account_data,
            .supplier = http::SupplierIn::body,
            .stores = document.stores,
            .body = document.body,
            .example = declared.example,
            .answers = {{.status = 201,
                         .description = "The account has it, from this request or an earlier one of the same "
                                        "content. The body is that of the request, as validated.",
                         .body = document.body,
                         .example = declared.example}},
            .rule_codes = {Code::period_end_before_start},
            .import = [&document](const http::Context& context) { return import(document, context); },
            .reply = [&document](const http::Context& context, const database::Rows& rows) {
                return reply(document.body, context, rows);
            }};
}

}  // namespace data_import::api
