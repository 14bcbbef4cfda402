#include "service/api/account_scoped.h"

#include "data/json/writer.h"
#include "data/payload/declarations.h"
#include "data/schema/render.h"

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

/// Makes the refusal for an account that exists and takes no records yet. The refusal may give the reason,
/// because the supplier is in the token's scope.
http::Problem not_imported(std::string detail) {
    return {.code = Code::account_not_found, .detail = std::move(detail)};
}

}  // namespace

void require_done(store::ImportVerdict verdict) {
    switch (verdict) {
        case store::ImportVerdict::done:
        case store::ImportVerdict::repeated:
            return;
        case store::ImportVerdict::supplier_paused:
            throw not_ongoing(
                "The import supplier is paused: repeat the request when the operator continues the "
                "migration.");
        case store::ImportVerdict::supplier_complete:
            throw not_ongoing(std::string(payload::supplier_is_complete));
        case store::ImportVerdict::account_staged:
            throw not_imported(
                "The account is staged: the platform has not begun to create it. Wait until its transfer "
                "status is "
                "COMPLETED.");
        case store::ImportVerdict::account_in_progress:
            throw not_imported(
                "The platform is creating the account: wait until its transfer status is COMPLETED.");
        case store::ImportVerdict::account_failed:
            throw not_imported(
                "The platform could not create the account: failed-account-import-processes has the reason.");
        case store::ImportVerdict::account_not_found:
            throw http::Problem{.code = Code::account_not_found,
                                .detail =
                                    "The import supplier has no account of this number: check the number, or "
                                    "ask the operator to stage the account.",
                                .is_unknown_number = true};
        case store::ImportVerdict::account_locked:
            throw http::AccountLocked();
    }
}

http::Reply echo(const schema::Schema& payload, const http::Context& context) {
    json::Writer writer;
    if (context.is_success_told) schema::write_validated(writer, payload, context.body());
    return {.status = 201, .body = writer.take()};
}

}  // namespace data_import::api
