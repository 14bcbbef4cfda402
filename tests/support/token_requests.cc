#include "token_requests.h"

#include <Poco/JSON/Array.h>
#include <Poco/JSON/Object.h>

#include <stdexcept>

#include "answer_check.h"
#include "data/json/writer.h"
#include "json_match.h"

namespace data_import::tests {

namespace {

HttpRequest token_request(const char* member, const std::string& value) {
    json::Writer writer;
    writer.begin_object().key("query").string(
        "mutation ($input: ObtainTokenInput!) { obtainToken(input: $input) "
        "{ token expiresIn refreshToken refreshExpiresIn } }");
    writer.key("variables").begin_object().key("input").begin_object().key(member).string(value);
    writer.end_object().end_object().end_object();
    return {
        "POST", "/v1/graphql/", {{"Host", "localhost"}, {"Content-Type", "application/json"}}, writer.take()};
}

Poco::JSON::Object::Ptr object_of(const Answer& answer) {
    if (answer.status != 200)
        throw std::runtime_error("no answer to a request for a token: " + shown(answer));
    return parse_json(answer.body).extract<Poco::JSON::Object::Ptr>();
}

}  // namespace

HttpRequest token_request_by_key(const std::string& api_key) {
    return token_request("APIKey", api_key);
}

HttpRequest token_request_by_refresh_token(const std::string& refresh_token) {
    return token_request("refreshToken", refresh_token);
}

std::string refusal_of(const Answer& answer) {
    const auto errors = object_of(answer)->getArray("errors");
    if (errors.isNull()) return "";
    return errors->getObject(0)->getObject("extensions")->getValue<std::string>("code");
}

std::string token_member(const Answer& answer, const std::string& name) {
    const auto payload = object_of(answer)->getObject("data")->getObject("obtainToken");
    if (payload.isNull()) throw std::runtime_error("no token: " + shown(answer));
    return payload->get(name).convert<std::string>();
}

}  // namespace data_import::tests
