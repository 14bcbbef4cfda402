#include "api/operators.h"
#include "database/database.h"
#include "json/writer.h"
#include "store/accounts.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_beginning = 50;

void write_accounts(json::Writer& writer, const std::vector<store::AccountName>& accounts) {
    writer.begin_array();
    for (const store::AccountName& account : accounts) {
        writer.begin_object().key("import_supplier").string(account.import_supplier);
        writer.key("external_account_number").string(account.external_account_number).end_object();
    }
    writer.end_array();
}

void answer(const http::Context& context, database::Database& database, http::Responder& responder) {
    const std::string& number = context.segments.at(0);
    json::Writer writer;
    writer.begin_object();
    write_accounts(writer.key("accounts"),
                   store::find_accounts_of_number(database, number, context.deadline));
    write_accounts(writer.key("beginning"),
                   store::find_accounts_beginning(database, number, most_beginning, context.deadline));
    responder.send({.body = writer.end_object().take()});
}

}  // namespace

http::Endpoint operator_search() {
    return {.method = "GET",
            .path = "local:/operator/search/{number}/",
            .summary = "List the accounts whose external or service account number this is, or begins so.",
            .needs_token = false,
            .is_public = false,
            .run = answer};
}

}  // namespace data_import::api
