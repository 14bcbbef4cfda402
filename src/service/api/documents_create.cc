#include <utility>

#include "base/util/crypto.h"
#include "data/database/rows.h"
#include "data/payload/imports.h"
#include "data/records/kinds.h"
#include "data/records/totals.h"
#include "data/schema/content.h"
#include "data/store/documents.h"
#include "data/store/row.h"
#include "service/api/account_scoped.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

/// Makes the import of a document. A document whose canonical text the account has already is not stored
/// again. A document with a null field differs from one without that field.
store::Import import(const payload::DeclaredImport& declared, const http::Context& context) {
    const records::Kind& kind = records::kind_of(declared.stores);
    const json::Value document = context.body().at(declared.field);
    store::RecordRow row = store::row_of(kind.record, document);
    return store::import_document(
        kind.name, import_target(context),
        {.content_digest = util::uuid_digest(schema::content_text(kind.record, document)),
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

/// Declares an endpoint that imports one document and answers with the request body as validated. `stores` is
/// the kind of the document. The document is an object in the body, next to the account number.
http::Endpoint document(std::string_view stores, std::string_view summary) {
    const payload::DeclaredImport& declared = payload::import_of(stores);
    return {.method = "POST",
            .path = declared.path,
            .summary = summary,
            .tag = http::Tag::account_data,
            .supplier = http::SupplierIn::body,
            .stores = declared.stores,
            .identity =
                "Two records of an account are the same if their content is: the same JSON value, "
                "whatever the order of members and the notation of numbers.",
            .body = declared.body,
            .answers = {{201,
                         "The account has the record, from this request or from an earlier one. The body is "
                         "the request as validated.",
                         declared.body}},
            .rule_codes = {Code::period_end_before_start},
            .import = [&declared](const http::Context& context) { return import(declared, context); },
            .reply = [&declared](const http::Context& context,
                                 const database::Rows& rows) { return reply(declared.body, context, rows); }};
}

}  // namespace

http::Endpoint delivery_note_create() {
    return document("delivery_notes", "Add a delivery note to an imported account.");
}

http::Endpoint energy_amount_create() {
    return document("energy_amounts", "Add an energy amount to an imported account.");
}

http::Endpoint market_participant_invoice_create() {
    return document("market_participant_invoices",
                    "Add an invoice of a market participant to an imported account.");
}

}  // namespace data_import::api
