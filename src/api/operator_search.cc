#include "api/operators.h"
#include "database/database.h"
#include "json/writer.h"
#include "store/accounts.h"

namespace data_import::api {

namespace {

void answer(const http::Context& context, database::Database& database, http::Responder& responder) {
    json::Writer writer;
    writer.begin_object().key("accounts").begin_array();
    for (const store::AccountName& account :
         store::find_accounts_of_number(database, context.segments.at(0), context.deadline)) {
        writer.begin_object().key("import_supplier").string(account.import_supplier);
        writer.key("external_account_number").string(account.external_account_number).end_object();
    }
    responder.send({.body = writer.end_array().end_object().take()});
}

}  // namespace

http::Endpoint operator_search() {
    return {.method = "GET",
            .path = "local:/operator/search/{number}/",
            .summary = "List the accounts whose external or service account number this is.",
            .needs_token = false,
            .is_public = false,
            .run = answer};
}

}  // namespace data_import::api
