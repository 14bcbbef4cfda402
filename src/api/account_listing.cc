#include "api/array_stream.h"
#include "api/endpoints.h"
#include "database/database.h"
#include "payload/about.h"
#include "payload/account_scoped.h"

namespace data_import::api {

namespace {

struct Listing {
    store::Listed listed;
    std::string_view path;
    std::string_view summary;
    std::string_view example;  ///< example of an answer
};

const Listing& listing_of(store::Listed listed);

const Listing& listing_of(store::Listed listed) {
    static constexpr Listing listings[] = {
        {store::Listed::all, "/v1/data-import/all-account-import-processes/{import_supplier}/",
         "List all accounts of a supplier, pending and imported.",
         R"([{"external_account_number": "4711", "service_account_number": "A-1B2C3D4E",
              "account_created_at": "2024-05-02T08:15:30Z"},
             {"external_account_number": "4712", "service_account_number": null, "account_created_at": null}])"},
        {store::Listed::pending, "/v1/data-import/pending-account-import-processes/{import_supplier}/",
         "List the accounts of a supplier that are staged and not imported.",
         R"([{"external_account_number": "4712", "service_account_number": null, "account_created_at": null}])"},
        {store::Listed::imported, "/v1/data-import/imported-account-import-processes/{import_supplier}/",
         "List the accounts of a supplier that have been imported.",
         R"([{"external_account_number": "4711", "service_account_number": "A-1B2C3D4E",
              "account_created_at": "2024-05-02T08:15:30Z"}])"},
    };
    for (const Listing& listing : listings) {
        if (listing.listed == listed) return listing;
    }
    throw std::logic_error("a listing without a path");
}

// A pending account has null in these members (contract, sections 5.9 and 5.10).
schema::Schema answer(store::Listed listed) {
    const auto or_null = [listed](const schema::Schema& value) {
        return listed == store::Listed::imported ? value : schema::nullable(value);
    };
    return schema::array(
        schema::object()
            .need("external_account_number", payload::external_account_number(),
                  payload::about::external_account_number)
            .need("service_account_number", or_null(payload::service_account_number()),
                  "The account's number on the platform; null while the account is pending.")
            .need("account_created_at", or_null(schema::datetime()),
                  "When the account was created on the platform; null while it is pending."));
}

http::Run run(store::Listed listed, std::chrono::seconds timeout) {
    return [listed, timeout](const http::Context& context, database::Database& database,
                             http::Responder& responder) {
        ArrayStream stream(responder);
        store::list_accounts(
            database, context.segments.at(0), listed,
            [&](const store::ListedAccount& account) {
                stream.begin_object();
                stream.member("external_account_number", account.external_account_number);
                stream.member("service_account_number", account.service_account_number);
                stream.member("account_created_at", account.account_created_at);
                stream.end_object();
            },
            std::chrono::steady_clock::now() + timeout, context.request.request_id);
        stream.finish();
    };
}

}  // namespace

http::Endpoint account_listing(store::Listed listed, const Options& options) {
    return {.method = "GET",
            .path = listing_of(listed).path,
            .summary = listing_of(listed).summary,
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .answers = {{200,
                         "The accounts, ordered by their external account number.",
                         answer(listed),
                         {"application/json"},
                         listing_of(listed).example}},
            .run = run(listed, options.listing_timeout)};
}

}  // namespace data_import::api
