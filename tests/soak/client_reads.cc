// Requests of a client besides its imports: status, listings, progress, health, metrics, tokens.
#include <Poco/Exception.h>
#include <Poco/JSON/Array.h>
#include <Poco/URI.h>

#include "../support/json_match.h"
#include "../support/token_requests.h"
#include "answers.h"
#include "client.h"

namespace data_import::soak {

using tests::Answer;
using tests::HttpRequest;

void Client::read_something() {
    const std::string& supplier = some_supplier();
    const Place place{supplier, imported_account(supplier, draw(random_, 1, Book::imported))};
    const std::string status = "/v1/data-import/account-transfer-status/" + supplier + '/';
    switch (draw(random_, 1, 10)) {
        case 1:
            return read(status + staged_account(1) + '/', R"("UNKNOWN")");
        case 2:
            return read("/v1/data-import/progress/" + supplier + '/', supplier);
        case 3:
            return read_listing("all", Book::imported + Book::staged);
        case 4:
            return read_listing("pending", Book::staged);
        case 5:
            return read_listing("imported", Book::imported);
        case 6:
            return read("/healthz", "");
        case 7:
            return read("/readyz", "");
        case 8:
            return read("/v1/openapi.json", R"("openapi")");
        case 9:
            return read_metrics();
        default:
            return read(status + place.account + '/', service_number(place));
    }
}

void Client::read(const std::string& target, const std::string& expected) {
    const HttpRequest request{"GET", target, {{"Host", "localhost"}}, ""};
    const Answer answer = ask(request);
    if (is_refusal(answer)) complain("refused, but is right", request, answer);
    if (is_good(answer) && answer.body.find(expected) == std::string::npos)
        complain("a wrong answer", request, answer);
}

void Client::read_listing(const std::string& name, long accounts) {
    const std::string target =
        "/v1/data-import/" + name + "-account-import-processes/" + some_supplier() + '/';
    const HttpRequest request{"GET", target, {{"Host", "localhost"}}, ""};
    const Answer answer = ask(request);
    if (is_refusal(answer)) complain("refused, but is right", request, answer);
    if (!is_good(answer)) return;
    const auto listed = tests::parse_json(answer.body).extract<Poco::JSON::Array::Ptr>();
    const long removable = static_cast<long>(listed->size()) - accounts;
    if (removable < 0 || removable > Book::removable) complain("a wrong number of accounts", request, answer);
}

/// Reads the metrics from their own listener, which has no TLS and does not answer JSON.
void Client::read_metrics() {
    const HttpRequest request{"GET", "/metrics", {{"Host", "localhost"}}, ""};
    try {
        tests::HttpConnection local(Poco::URI(run_.stack.value("METRICS_URL")).getPort());
        const Answer answer = local.ask(request);
        ++ledger_.answers["metrics " + std::to_string(answer.status)];
        if (is_good(answer) && answer.body.find("data_import_") == std::string::npos)
            complain("no metrics", request, answer);
        if (is_refusal(answer)) complain("refused, but is right", request, answer);
    } catch (const Poco::Exception&) {
        ++ledger_.answers["metrics no answer"];
    }
}

void Client::obtain_token() {
    const bool refreshes = !refresh_token_.empty() && draw(random_, 1, 2) == 1;
    const HttpRequest request = refreshes ? tests::token_request_by_refresh_token(refresh_token_)
                                          : tests::token_request_by_key(organisation().api_key);
    const Answer answer = ask_without_token(request);
    if (is_refusal(answer)) complain("refused, but is right", request, answer);
    if (!is_good(answer)) return pause(50, 500);
    const std::string refusal = tests::refusal_of(answer);
    if (!refusal.empty() && refusal != "service_unavailable" && refusal != "gateway_timeout")
        complain("no token for a right key", request, answer);
    if (!refusal.empty()) return pause(50, 500);
    token_ = tests::token_member(answer, "token");
    refresh_token_ = tests::token_member(answer, "refreshToken");
}

const std::string& Client::some_supplier() {
    const std::vector<std::string>& suppliers = organisation().suppliers;
    return suppliers.at(static_cast<std::size_t>(draw(random_, 0, static_cast<long>(suppliers.size()) - 1)));
}

}  // namespace data_import::soak
