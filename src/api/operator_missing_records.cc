#include "api/operators.h"
#include "json/writer.h"
#include "store/missing_records.h"

namespace data_import::api {

namespace {

constexpr std::size_t most_accounts = 500;

database::Call plan(const http::Context& context) {
    return store::list_accounts_without(context.segments.at(0), context.choices.at("kind"), most_accounts);
}

http::Reply reply(const http::Context&, const database::Rows& rows) {
    json::Writer writer;
    writer.begin_object().key("most").integer(most_accounts).key("accounts").begin_array();
    for (const std::string& number : store::read_accounts_without(rows)) writer.string(number);
    return {.body = writer.end_array().end_object().take()};
}

}  // namespace

http::Endpoint operator_accounts_without() {
    return {.method = "GET",
            .path = "local:/operator/accounts-without/{import_supplier}/",
            .summary = "List imported accounts that have no records of a kind.",
            .needs_token = false,
            .is_public = false,
            .query = {{.name = "kind",
                       .description = "The kind of records.",
                       .choices = {"notes", "transactions"}}},
            .plan = plan,
            .reply = reply};
}

}  // namespace data_import::api
