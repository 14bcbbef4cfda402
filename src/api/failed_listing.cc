#include "api/array_stream.h"
#include "api/endpoints.h"
#include "payload/about.h"
#include "payload/account_scoped.h"
#include "util/limits.h"

namespace data_import::api {

namespace {

schema::Schema answer() {
    return schema::array(
        schema::object()
            .need("external_account_number", payload::external_account_number(),
                  payload::about::external_account_number)
            .need("reason", schema::nullable(schema::text(1, util::limits::reason)),
                  "Why the last attempt failed; null for an account that came here as failed.")
            .need("failed_at", schema::datetime(), "When it failed.")
            .need("attempts", schema::integer(1), "How many attempts were begun."));
}

http::Run run(std::chrono::seconds timeout) {
    return [timeout](const http::Context& context, database::Database& database, http::Responder& responder) {
        ArrayStream stream(responder);
        store::list_failed_accounts(
            database, context.segments.at(0),
            [&](const store::FailedAccount& account) {
                stream.begin_object();
                stream.member("external_account_number", account.external_account_number);
                stream.member("reason", account.reason);
                stream.member("failed_at", account.failed_at);
                stream.number("attempts", account.attempts);
                stream.end_object();
            },
            std::chrono::steady_clock::now() + timeout, context.request.request_id);
        stream.finish();
    };
}

}  // namespace

http::Endpoint failed_listing(const Options& options) {
    return {
        .method = "GET",
        .path = "/v1/data-import/failed-account-import-processes/{import_supplier}/",
        .summary = "List the accounts of a supplier whose last attempt to be created has failed, and why.",
        .tag = http::Tag::migration_progress,
        .supplier = http::SupplierIn::first_segment,
        .answers = {{200,
                     "The accounts, ordered by their external account number. `attempts` counts the attempts "
                     "that were begun; an account that came here as failed has had one, and no `reason`.",
                     answer(),
                     {"application/json"},
                     R"([{"external_account_number": "4713", "reason": "No tariff for this postal code.",
      "failed_at": "2024-05-02T08:15:30Z", "attempts": 2}])"}},
        .run = run(options.listing_timeout)};
}

}  // namespace data_import::api
