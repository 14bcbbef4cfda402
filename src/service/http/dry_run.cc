#include "service/http/dry_run.h"

#include <optional>

namespace data_import::http {

namespace {

constexpr std::string_view parameter = "dry_run";

Headers with_status(Headers headers, int status) {
    headers.emplace_back("Dry-Run", std::to_string(status));
    return headers;
}

}  // namespace

bool takes_dry_run(const Endpoint& endpoint) {
    return endpoint.method == "POST" && endpoint.needs_token;
}

QueryParameter dry_run_parameter() {
    return {.name = parameter,
            .description =
                "Check the request against all that is stored, and store nothing. The answer is 200 with the "
                "body that the request would have got; the header `Dry-Run` has its status."};
}

bool is_dry_run(const Endpoint& endpoint, const SentQuery& query) {
    return takes_dry_run(endpoint) && find_boolean(query, parameter) == true;
}

bool says_dry_run(const Endpoint& endpoint, std::string_view query) {
    constexpr std::size_t longest = 128;
    if (query.size() > longest) return false;
    const auto sent = util::decode_query(query);
    return sent && is_dry_run(endpoint, *sent);
}

bool names_dry_run(const SentQuery& query) {
    return has_parameter(query, parameter);
}

database::Rows execute_call(const Context& context, database::Database& database,
                            const database::Call& call) {
    if (!context.is_dry) return database.execute(call, context.deadline);
    std::optional<database::Rows> rows;
    database.rehearse([&] { rows = database.execute(call, context.deadline); }, context.deadline);
    return *std::move(rows);
}

void DryRunResponder::send(const Reply& reply) {
    Reply told = reply;
    told.headers = with_status(std::move(told.headers), reply.status);
    told.status = 200;
    target_.send(told);
}

void DryRunResponder::begin(int status, std::string_view content_type, const Headers& headers) {
    target_.begin(200, content_type, with_status(headers, status));
}

}  // namespace data_import::http
