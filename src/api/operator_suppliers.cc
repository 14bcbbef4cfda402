#include "api/operators.h"
#include "database/database.h"
#include "json/writer.h"
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

namespace {

using Oldest = std::map<std::string, store::OpenAccount, std::less<>>;

/// Of each supplier that has any, the account whose attempt has been running for longest.
Oldest find_oldest(const std::vector<store::SupplierProgress>& suppliers, database::Database& database,
                   database::Deadline deadline) {
    constexpr std::size_t in_progress = 1;  // of store::account_states
    std::vector<std::string_view> codes;
    std::vector<database::Call> calls;
    for (const store::SupplierProgress& supplier : suppliers) {
        if (supplier.progress.accounts.at(in_progress) == 0) continue;
        codes.push_back(supplier.code);
        calls.push_back(store::list_open_accounts(supplier.code, store::OpenState::in_progress, 1));
    }
    Oldest oldest;
    if (calls.empty()) return oldest;
    const std::vector<database::Rows> results = database.execute_together(calls, deadline);
    for (std::size_t number = 0; number < codes.size(); ++number) {
        const auto accounts = store::read_open_accounts(results[number]);
        if (!accounts.empty()) oldest.emplace(codes[number], accounts.front());
    }
    return oldest;
}

void write_oldest(json::Writer& writer, const Oldest& oldest, const std::string& code) {
    writer.key("oldest_in_progress");
    const auto found = oldest.find(code);
    if (found == oldest.end()) {
        writer.null();
        return;
    }
    writer.begin_object().key("external_account_number").string(found->second.external_account_number);
    writer.key("since").string(found->second.since).end_object();
}

void run(const http::Context& context, database::Database& database, http::Responder& responder) {
    const auto suppliers =
        store::read_all_progress(database.execute(store::find_all_progress(), context.deadline));
    const Oldest oldest = find_oldest(suppliers, database, context.deadline);
    json::Writer writer;
    writer.begin_object().key("suppliers").begin_array();
    for (const store::SupplierProgress& supplier : suppliers) {
        writer.begin_object().key("code").string(supplier.code).key("name").string(supplier.name);
        writer.key("status").string(supplier.progress.status);
        store::write_progress(writer, supplier.progress);
        writer.key("refused_last_hour").integer(supplier.refused_last_hour);
        write_oldest(writer, oldest, supplier.code);
        writer.end_object();
    }
    responder.send({.body = writer.end_array().end_object().take()});
}

}  // namespace

}  // namespace data_import::api
