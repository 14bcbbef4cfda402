#include "api/validated_import.h"

#include <string>
#include <utility>

#include "api/account_scoped.h"
#include "database/rows.h"
#include "payload/account_scoped.h"
#include "records/kinds.h"
#include "records/totals.h"
#include "schema/content.h"
#include "schema/row.h"
#include "store/content_digest.h"

namespace data_import::api {

namespace {

store::Import import(const ValidatedImport& declared, const http::Context& context);
http::Reply reply(const schema::Schema& payload, const http::Context& context, const database::Rows& rows);

}  // namespace

http::Endpoint validated_import(const ValidatedImport& declared) {
    const schema::Object body =
        payload::account_scoped().need(declared.field, declared.document, declared.meaning);
    return {.method = "POST",
            .path = declared.path,
            .summary = declared.summary,
            .tag = http::Tag::account_data,
            .supplier = http::SupplierIn::body,
            .stores = declared.record,
            .body = body,
            .example = declared.example,
            .answers = {{.status = 201,
                         .description = "The account has it, from this request or an earlier one of the same "
                                        "content. The body is that of the request, as validated.",
                         .body = body,
                         .example = declared.example}},
            .rule_codes = {Code::period_end_before_start},
            .import = [declared](const http::Context& context) { return import(declared, context); },
            .reply = [body](const http::Context& context,
                            const database::Rows& rows) { return reply(body, context, rows); }};
}

namespace {

store::Import import(const ValidatedImport& declared, const http::Context& context) {
    const json::Value document = context.body().at(declared.field);
    schema::Row row = schema::row_of(declared.document, document);
    return store::import_document(
        declared.kind, import_target(context),
        {.content_digest = store::content_digest(schema::content_text(declared.document, document)),
         .row = std::move(row.text),
         .item_columns = std::move(row.columns),
         .figures = records::figures_of(records::kind_of(declared.record), document)});
}

http::Reply reply(const schema::Schema& payload, const http::Context& context, const database::Rows& rows) {
    const store::ImportVerdict verdict = store::read_import_verdict(rows);
    require_done(verdict);
    http::Reply reply = echo(payload, context);
    if (verdict == store::ImportVerdict::done) reply.stored = 1;
    return reply;
}

}  // namespace

}  // namespace data_import::api
