#include "api/operators.h"
#include "database/database.h"
#include "json/writer.h"
#include "store/control_totals.h"
#include "store/open_accounts.h"
#include "store/progress.h"
#include "store/progress_json.h"

namespace data_import::api {

namespace {

void run(const http::Context& context, database::Database& database, http::Responder& responder);

}  // namespace

http::Endpoint operator_suppliers() {
    return {.method = "GET",
            .path = "local:/operator/suppliers/",
            .summary = "Tell how far the migrations of all suppliers have come.",
            .needs_token = false,
            .is_public = false,
            .run = run};
}

http::Endpoint operator_supplier() {
    return {.method = "GET",
            .path = "local:/operator/suppliers/{import_supplier}/",
            .summary = "Tell the same of one supplier.",
            .needs_token = false,
            .is_public = false,
            .run = run};
}

namespace {

/// What the figures of progress do not tell.
struct Details {
    std::string_view verdict;                       ///< of the control totals
    std::optional<store::OpenAccount> oldest = {};  ///< whose attempt has been running for longest
};

/// Of each supplier, in their order, in one round trip.
std::vector<Details> find_details(const std::vector<store::SupplierProgress>& suppliers,
                                  database::Database& database, database::Deadline deadline) {
    std::vector<database::Call> calls;
    for (const store::SupplierProgress& supplier : suppliers) {
        calls.push_back(store::find_control_totals(supplier.code));
        calls.push_back(store::list_open_accounts(supplier.code, store::OpenState::in_progress, 1));
    }
    std::vector<Details> details;
    if (calls.empty()) return details;
    const std::vector<database::Rows> results = database.execute_together(calls, deadline);
    for (std::size_t number = 0; number < results.size(); number += 2) {
        details.push_back({.verdict = store::read_control_totals(results[number]).verdict()});
        const auto accounts = store::read_open_accounts(results[number + 1]);
        if (!accounts.empty()) details.back().oldest = accounts.front();
    }
    return details;
}

void write_oldest(json::Writer& writer, const std::optional<store::OpenAccount>& oldest) {
    writer.key("oldest_in_progress");
    if (!oldest) {
        writer.null();
        return;
    }
    writer.begin_object().key("external_account_number").string(oldest->external_account_number);
    writer.key("since").string(oldest->since).end_object();
}

void run(const http::Context& context, database::Database& database, http::Responder& responder) {
    const auto code = context.segments.empty() ? std::nullopt : std::optional(context.segments.front());
    const auto suppliers =
        store::read_all_progress(database.execute(store::find_all_progress(code), context.deadline));
    const std::vector<Details> details = find_details(suppliers, database, context.deadline);
    json::Writer writer;
    writer.begin_object().key("suppliers").begin_array();
    for (std::size_t number = 0; number < suppliers.size(); ++number) {
        const store::SupplierProgress& supplier = suppliers[number];
        writer.begin_object().key("code").string(supplier.code).key("name").string(supplier.name);
        writer.key("status").string(supplier.progress.status);
        store::write_progress(writer, supplier.progress);
        writer.key("verdict").string(details[number].verdict);
        writer.key("refused_last_hour").integer(supplier.refused_last_hour);
        write_oldest(writer, details[number].oldest);
        writer.end_object();
    }
    responder.send({.body = writer.end_array().end_object().take()});
}

}  // namespace

}  // namespace data_import::api
