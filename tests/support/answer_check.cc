#include "answer_check.h"

#include <Poco/String.h>

#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "json_match.h"

namespace data_import::tests {

namespace {

/// Top-level codes by status (contract, section 3.2).
const std::multimap<int, std::string>& codes() {
    static const std::multimap<int, std::string> table = {{400, "bad_request"},
                                                          {400, "parse_error"},
                                                          {400, "validation_error"},
                                                          {400, "vendor_rejected"},
                                                          {400, "vendor_unavailable"},
                                                          {401, "not_authenticated"},
                                                          {401, "authentication_failed"},
                                                          {401, "token_expired"},
                                                          {404, "not_found"},
                                                          {404, "account_not_found"},
                                                          {405, "method_not_allowed"},
                                                          {408, "request_timeout"},
                                                          {409, "request_in_progress"},
                                                          {413, "payload_too_large"},
                                                          {414, "uri_too_long"},
                                                          {415, "unsupported_media_type"},
                                                          {422, "idempotency_key_reused"},
                                                          {429, "throttled"},
                                                          {431, "header_too_large"},
                                                          {500, "error"},
                                                          {500, "vendor_intermittent"},
                                                          {502, "bad_gateway"},
                                                          {503, "service_unavailable"},
                                                          {504, "gateway_timeout"}};
    return table;
}

void need(bool condition, const std::string& reason, const Answer& answer) {
    if (!condition) throw std::runtime_error(reason + ": " + shown(answer));
}

void check_refusal_headers(const Answer& answer) {
    static const std::map<int, std::string> belonging = {
        {401, "WWW-Authenticate"}, {405, "Allow"}, {429, "Retry-After"}, {503, "Retry-After"}};
    const auto wanted = belonging.find(answer.status);
    if (wanted != belonging.end())
        need(answer.header(wanted->second).has_value(), "no " + wanted->second, answer);
    if (answer.status == 401)
        need(answer.header("WWW-Authenticate") == "Token, Bearer", "a wrong challenge", answer);
    // each cause of a 415 has its own header
    if (answer.status == 415)
        need(answer.header("Accept").has_value() != answer.header("Accept-Encoding").has_value(),
             "not one of Accept and Accept-Encoding", answer);
}

/// Throws if the answer has two headers of the same name. HTTP allows this only for a header whose value is a
/// list, and the service has no such header.
void check_each_header_once(const Answer& answer) {
    std::set<std::string> names;
    for (const auto& [name, value] : answer.headers)
        need(names.insert(Poco::toLower(name)).second, name + " stands twice", answer);
}

void check_refusal_body(const Answer& answer) {
    const ErrorBody body = parse_error_body(answer.body);
    const auto [first, last] = codes().equal_range(answer.status);
    bool known = false;
    for (auto code = first; code != last; ++code) known |= code->second == body.code;
    need(known, "the code " + body.code + " does not belong to the status", answer);
}

}  // namespace

std::string shown(const Answer& answer) {
    std::string text = std::to_string(answer.status) + '\n';
    for (const auto& [name, value] : answer.headers) text += "    " + name + ": " + value + '\n';
    return text + "    " + answer.body.substr(0, 1500);
}

void check_any_answer(const Answer& answer, bool head) {
    static const std::regex request_id("[0-9a-f]{32}");
    if (answer.status == 0) throw std::runtime_error("the connection was closed without an answer");
    need(answer.complete, "the answer is cut", answer);
    check_each_header_once(answer);
    need(std::regex_match(answer.header("X-Request-Id").value_or(""), request_id), "no X-Request-Id", answer);
    // the media type that clients of GraphQL may ask for
    if (answer.header("Content-Type") == "application/graphql-response+json; charset=utf-8") return;
    need(answer.header("Content-Type") == "application/json", "no application/json", answer);
    if (answer.status < 400) return;
    check_refusal_headers(answer);
    if (head) return;
    check_refusal_body(answer);
    if (answer.status != 500) return;
    const bool names_request =
        answer.body.find(answer.header("X-Request-Id").value_or("")) != std::string::npos;
    need(names_request, "a 500 does not name the request", answer);
}

}  // namespace data_import::tests
