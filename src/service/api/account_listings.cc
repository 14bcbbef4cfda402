#include <array>

#include "base/util/limits.h"
#include "data/database/database.h"
#include "data/payload/about.h"
#include "data/payload/account_scoped.h"
#include "service/api/array_stream.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

struct Listing {
    std::string_view path;
    std::string_view summary;
};

// The three listings, in the order of the values of store::Listed.
constexpr std::array listings = {
    Listing{"/v1/data-import/all-account-import-processes/{import_supplier}/",
            "List all accounts of a supplier, pending and imported."},
    Listing{"/v1/data-import/pending-account-import-processes/{import_supplier}/",
            "List the accounts of a supplier that are staged and not imported."},
    Listing{"/v1/data-import/imported-account-import-processes/{import_supplier}/",
            "List the accounts of a supplier that have been imported."}};

schema::Object numbered() {
    return schema::object().need("external_account_number", payload::external_account_number(),
                                 payload::about::external_account_number);
}

// A pending account has null as `service_account_number` and `account_created_at` (contract, sections 5.9 and
// 5.10).
schema::Schema answer(store::Listed listed) {
    const auto or_null = [listed](const schema::Schema& value) {
        return listed == store::Listed::imported ? value : schema::nullable(value);
    };
    return schema::array(
        numbered()
            .need("service_account_number", or_null(payload::service_account_number()),
                  "The account's number on the platform; null while the account is pending.")
            .need("account_created_at", or_null(schema::datetime()),
                  "When the account was created on the platform; null while it is pending."));
}

schema::Schema answer_of_failed() {
    return schema::array(
        numbered()
            .need("reason", schema::nullable(schema::text(1, util::limits::reason)),
                  "Why the last attempt failed; null for an account that was loaded as failed.")
            .need("failed_at", schema::datetime(), "When it failed.")
            .need("attempts", schema::integer(1), "Number of attempts that were begun."));
}

/// Returns a `run` that answers with a JSON array, whose objects `list` writes.
template <typename List>
http::Run run(const Options& options, const List& list) {
    return [timeout = options.listing_timeout, list](
               const http::Context& context, database::Database& database, http::Responder& responder) {
        ArrayStream stream(responder);
        list(context, database, stream, std::chrono::steady_clock::now() + timeout);
        stream.finish();
    };
}

http::Endpoint listing(const Listing& listing, http::DocumentedAnswer answer, http::Run run) {
    return {.method = "GET",
            .path = listing.path,
            .summary = listing.summary,
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .answers = {std::move(answer)},
            .run = std::move(run)};
}

}  // namespace

http::Endpoint account_listing(store::Listed listed, const Options& options) {
    const auto list = [listed](const http::Context& context, database::Database& database,
                               ArrayStream& stream, database::Deadline deadline) {
        const auto add = [&](const store::ListedAccount& account) {
            stream.begin_object();
            stream.member("external_account_number", account.external_account_number);
            stream.member("service_account_number", account.service_account_number);
            stream.member("account_created_at", account.account_created_at);
            stream.end_object();
        };
        store::list_accounts(database, context.segments.at(0), listed, add, deadline,
                             context.request.request_id);
    };
    return listing(listings.at(static_cast<std::size_t>(listed)),
                   {200, "The accounts, ordered by their external account number.", answer(listed)},
                   run(options, list));
}

http::Endpoint failed_listing(const Options& options) {
    const auto list = [](const http::Context& context, database::Database& database, ArrayStream& stream,
                         database::Deadline deadline) {
        const auto add = [&](const store::FailedAccount& account) {
            stream.begin_object();
            stream.member("external_account_number", account.external_account_number);
            stream.member("reason", account.reason);
            stream.member("failed_at", account.failed_at);
            stream.number("attempts", account.attempts);
            stream.end_object();
        };
        store::list_failed_accounts(database, context.segments.at(0), add, deadline,
                                    context.request.request_id);
    };
    return listing({"/v1/data-import/failed-account-import-processes/{import_supplier}/",
                    "List the accounts of a supplier whose last attempt to be created has failed, and why."},
                   {200,
                    "The accounts, ordered by their external account number. `attempts` counts the attempts "
                    "that were begun. An account that was loaded as failed has one attempt and no `reason`.",
                    answer_of_failed()},
                   run(options, list));
}

}  // namespace data_import::api
