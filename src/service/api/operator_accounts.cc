#include "data/database/database.h"
#include "data/json/writer.h"
#include "data/store/account_details.h"
#include "data/store/account_list.h"
#include "data/store/accounts.h"
#include "data/store/failures.h"
#include "data/store/shared_json.h"
#include "service/api/local_endpoints.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_accounts = 500;
constexpr std::size_t most_beginning = 50;
constexpr std::size_t most_refusals = 100;
constexpr std::string_view reason = "reason";

http::Reply reply_accounts(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("most").integer(most_accounts).key("accounts").begin_array();
    for (const store::OpenAccount& account : store::read_open_accounts(rows)) {
        writer.begin_object().key("external_account_number").string(account.external_account_number);
        writer.key("since").string(account.since).key("reason").string_or_null(account.reason).end_object();
    }
    return {.body = writer.end_array().end_object().take()};
}

http::Endpoint listing(std::string_view path, std::string_view summary, store::OpenState state) {
    return for_operators(
        path, summary,
        [state](const http::Context& context) {
            return store::list_open_accounts(context.segments.at(0), state, most_accounts);
        },
        reply_accounts);
}

void write_details(json::Writer& writer, const store::AccountDetails& account) {
    writer.key("state").string(account.state);
    writer.key("service_account_number").string_or_null(account.service_account_number);
    writer.key("account_created_at").string_or_null(account.account_created_at);
    writer.key("failure_reason").string_or_null(account.failure_reason);
    writer.key("staged_at").string(account.staged_at);
    writer.key("state_changed_at").string(account.state_changed_at);
    writer.key("statement_first_day").string_or_null(account.statement_first_day);
    writer.key("statement_last_day").string_or_null(account.statement_last_day);
    writer.key("held_since").string_or_null(account.hold ? std::optional(account.hold->at) : std::nullopt);
    writer.key("records").begin_object();
    for (const auto& [kind, count] : account.records) writer.key(kind).integer(count);
    writer.end_object();
    writer.key("documents").begin_object().key("count").integer(account.documents.count);
    writer.key("locations").begin_array();
    for (const std::string& location : account.documents.locations) writer.string(location);
    writer.end_array().end_object();
}

void write_history(json::Writer& writer, const std::vector<store::AccountStep>& history) {
    writer.key("history").begin_array();
    for (const store::AccountStep& step : history) {
        writer.begin_object().key("state").string(step.state).key("at").string(step.at);
        writer.key("by").string(step.author);
        writer.key("reason").string_or_null(step.reason);
        writer.end_object();
    }
    writer.end_array();
}

void write_actions(json::Writer& writer, const std::vector<store::AccountAction>& actions) {
    writer.key("actions").begin_array();
    for (const store::AccountAction& action : actions) {
        writer.begin_object().key("action").string(action.action).key("at").string(action.at);
        writer.key("by").string(action.author);
        writer.key("records").string_or_null(action.records);
        writer.end_object();
    }
    writer.end_array();
}

void write_imports(json::Writer& writer, const std::vector<store::AccountImport>& imports) {
    writer.key("last_imports").begin_array();
    for (const store::AccountImport& import : imports) {
        writer.begin_object().key("kind").string(import.kind).key("records").integer(import.records);
        writer.key("imported_at").string(import.imported_at);
        writer.key("request_id").string(import.request_id);
        writer.key("api_key_id").string(import.api_key_id).end_object();
    }
    writer.end_array();
}

void write_refusals(json::Writer& writer, const std::vector<store::KeptRefusal>& refusals) {
    writer.key("last_refusals").begin_array();
    for (const store::KeptRefusal& kept : refusals) {
        const store::Refusal& refusal = kept.refusal;
        writer.begin_object().key("at").string(kept.at).key("endpoint").string(refusal.endpoint);
        writer.key("status").integer(refusal.status).key("code").string(refusal.code);
        writer.key("request_id").string(refusal.request_id);
        store::write_detail(writer, refusal);
        store::write_places(writer.key("places"), refusal.places);
        writer.end_object();
    }
    writer.end_array();
}

void answer_account(const http::Context& context, database::Database& database, http::Responder& responder,
                    bool see_records) {
    const store::AccountName name{context.segments.at(0), context.segments.at(1)};
    const auto account = store::find_account(database, name, context.deadline);
    if (!account) throw http::Problem{Code::not_found, "This import supplier has no such account."};
    json::Writer writer;
    writer.begin_object().key("external_account_number").string(name.external_account_number);
    write_details(writer, *account);
    write_history(writer, account->history);
    write_actions(writer, account->actions);
    write_imports(writer, account->last_imports);
    write_refusals(writer, account->last_refusals);
    store::write_not_kept(writer.key("not_kept"), account->not_kept);
    writer.key("shows_records").boolean(see_records);
    responder.send({.body = writer.end_object().take()});
}

database::Call plan_without(const http::Context& context) {
    return store::list_accounts_without(context.segments.at(0), context.query.values.at("kind"),
                                        most_accounts);
}

http::Reply reply_without(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("most").integer(most_accounts).key("accounts").begin_array();
    for (const std::string& number : rows.texts()) writer.string(number);
    return {.body = writer.end_array().end_object().take()};
}

void write_names(json::Writer& writer, const std::vector<store::AccountName>& accounts) {
    writer.begin_array();
    for (const store::AccountName& account : accounts) {
        writer.begin_object().key("import_supplier").string(account.import_supplier);
        writer.key("external_account_number").string(account.external_account_number).end_object();
    }
    writer.end_array();
}

/// Writes those of `refusals` whose account is not known here: the request named an account number that its
/// supplier does not have.
void write_unknown(json::Writer& writer, const std::vector<store::KeptRefusal>& refusals) {
    writer.begin_array();
    for (const store::KeptRefusal& kept : refusals) {
        if (kept.is_known) continue;
        const store::Refusal& refusal = kept.refusal;
        store::write_account_of(writer.begin_object(), kept);
        writer.key("at").string(kept.at).key("endpoint").string(refusal.endpoint);
        writer.key("status").integer(refusal.status).key("code").string(refusal.code);
        writer.key("request_id").string(refusal.request_id);
        store::write_detail(writer, refusal);
        writer.end_object();
    }
    writer.end_array();
}

void write_erased(json::Writer& writer, const std::vector<store::Erasure>& erasures) {
    writer.begin_array();
    for (const auto& [supplier, mark] : erasures) {
        writer.begin_object().key("import_supplier").string(supplier).key("at").string(mark.at);
        writer.key("by").string(mark.author).end_object();
    }
    writer.end_array();
}

/// Writes the suppliers of which some refused requests were only counted, and not kept one by one. A request
/// that was only counted may have named the account number that the page searches for.
void write_partly_kept(json::Writer& writer, const std::vector<store::KeptPart>& parts) {
    writer.begin_array();
    for (const store::KeptPart& part : parts) store::write_not_kept(writer, part);
    writer.end_array();
}

void search(const http::Context& context, database::Database& database, http::Responder& responder) {
    const std::string& number = context.segments.at(0);
    const auto accounts = store::find_accounts_of_number(database, number, context.deadline);
    const auto meant = accounts.empty()
                           ? store::find_meant_account(database, number, std::nullopt, context.deadline)
                           : std::nullopt;
    json::Writer writer;
    writer.begin_object().key("most").integer(most_beginning);
    write_names(writer.key("accounts"), accounts);
    write_names(writer.key("beginning"),
                store::find_accounts_beginning(database, number, most_beginning, context.deadline));
    write_names(writer.key("meant"), meant ? std::vector{*meant} : std::vector<store::AccountName>());
    write_erased(writer.key("erased"),
                 store::find_erasures(database, number, std::nullopt, context.deadline));
    write_partly_kept(writer.key("partly_kept"),
                      store::list_partly_kept(database, std::nullopt, std::nullopt, context.deadline));
    write_unknown(
        writer.key("refused"),
        store::list_last_refusals(database, {.external_account_number = number, .most = most_refusals},
                                  context.deadline));
    responder.send({.body = writer.end_object().take()});
}

}  // namespace

http::Endpoint operator_failed_accounts() {
    http::Endpoint failed =
        listing("local:/operator/failed-accounts/{import_supplier}/",
                "List the accounts whose attempts have failed last.", store::OpenState::failed);
    failed.query = {{.name = reason,
                     .description = "Only those of this reason, every number in it as N.",
                     .is_text = true}};
    failed.plan = [of_all = failed.plan](const http::Context& context) {
        const auto wanted = context.query.values.find(reason);
        return wanted == context.query.values.end()
                   ? of_all(context)
                   : store::list_failures_of_group(context.segments.at(0), wanted->second, most_accounts);
    };
    return failed;
}

http::Endpoint operator_accounts_in_progress() {
    return listing("local:/operator/accounts-in-progress/{import_supplier}/",
                   "List the accounts whose attempts have been running for longest.",
                   store::OpenState::in_progress);
}

http::Endpoint operator_account(bool see_records) {
    return for_operators("local:/operator/account/{import_supplier}/{external_account_number}/",
                         "Return everything that is known about one account.",
                         [see_records](const http::Context& context, database::Database& database,
                                       http::Responder& responder) {
                             answer_account(context, database, responder, see_records);
                         });
}

http::Endpoint operator_accounts_without() {
    return for_operators(
        "local:/operator/accounts-without/{import_supplier}/",
        "List imported accounts that have no records of a kind.", plan_without, reply_without,
        {{.name = "kind", .description = "The kind of records.", .choices = {"notes", "transactions"}}});
}

http::Endpoint operator_search() {
    return for_operators(
        "local:/operator/search/{number}/",
        "List the accounts whose external account number or number on the platform this is, or begins so, "
        "and refusals of unknown ones.",
        search);
}

}  // namespace data_import::api
