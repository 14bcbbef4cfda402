#include "base/util/limits.h"
#include "data/database/call.h"
#include "data/database/rows.h"
#include "data/json/writer.h"
#include "data/store/accounts.h"
#include "service/api/account_scoped.h"
#include "service/api/endpoints.h"

namespace data_import::api {

namespace {

// Returns UNKNOWN for an account that is only staged, or whose last attempt failed: the platform does not
// know such an account (contract, section 1.3).
std::string_view status_of(std::string_view state) {
    if (state == "imported") return "COMPLETED";
    return state == "in_progress" ? "IN_PROGRESS" : "UNKNOWN";
}

database::Call plan(const http::Context& context) {
    return store::find_account_status(context.segments.at(0), context.segments.at(1));
}

http::Reply reply(const http::Context&, const database::Rows& rows) {
    const auto account = store::read_account_status(rows);
    if (!account) {
        throw http::Problem{Code::not_found, unknown_account};
    }
    json::Writer writer;
    writer.begin_object().key("status").string(status_of(account->state));
    writer.key("service_account_number").string(account->service_account_number).end_object();
    return {.body = writer.take()};
}

schema::Schema answer() {
    return schema::object()
        .need("status", schema::choice({"UNKNOWN", "IN_PROGRESS", "COMPLETED"}),
              "`UNKNOWN`: no attempt was made, or the last one failed, which the listing of failed accounts "
              "shows. `IN_PROGRESS`: an attempt is running. `COMPLETED`: the account has been created.")
        .need("service_account_number", schema::text(0, util::limits::service_account_number),
              "The account's number on the platform; empty until the account has been created.");
}

}  // namespace

http::Endpoint account_transfer_status() {
    return {.method = "GET",
            .path = "/v1/data-import/account-transfer-status/{import_supplier}/{external_account_number}/",
            .summary = "Return the state of one account's migration.",
            .tag = http::Tag::migration_progress,
            .supplier = http::SupplierIn::first_segment,
            .answers = {{200,
                         "The account's state; `service_account_number` is empty until the account has been "
                         "created.",
                         answer()}},
            .plan = plan,
            .reply = reply};
}

}  // namespace data_import::api
