#include "contract.h"

#include <Poco/String.h>
#include <Poco/StringTokenizer.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "../support/answer_check.h"
#include "../support/json_match.h"
#include "data/json/reader.h"

namespace data_import::soak {

namespace {

using json::Value;
using Node = std::optional<Value>;

/// Stands for the statuses that an operation does not list.
constexpr int any_other = 0;

std::vector<std::string> segments_of(const std::string& path) {
    const Poco::StringTokenizer tokens(path.substr(0, path.find('?')), "/");
    return {tokens.begin(), tokens.end()};
}

bool matches(const std::string& wanted, const std::string& sent) {
    return wanted == sent || (wanted.starts_with('{') && !sent.empty());
}

/// Returns the value at the end of the path; nothing if a part of the path is missing.
Node at_end_of(Node from, std::initializer_list<std::string_view> way) {
    for (const std::string_view key : way) {
        if (!from || !from->is(json::Type::object)) return std::nullopt;
        from = from->find(key);
    }
    return from;
}

/// Returns the response, following a reference "#/components/responses/NAME".
Value resolved(const Value& document, const Value& response) {
    const Node reference = response.find("$ref");
    if (!reference) return response;
    Value node = document;
    const std::vector<std::string> places = segments_of(std::string(reference->text()));
    for (auto place = places.begin() + 1; place != places.end(); ++place) node = node.at(*place);
    return node;
}

/// Returns the codes that a schema lists: its own list if it has one, else the codes of the schema to which
/// it refers, or of its alternatives (an answer with several shapes has alternatives).
std::set<std::string> codes_of(const Value& document, const Value& schema) {
    std::set<std::string> codes;
    if (const Node values = at_end_of(schema, {"properties", "code", "enum"})) {
        for (const Value value : values->items()) codes.emplace(value.text());
    } else if (schema.find("$ref")) {
        return codes_of(document, resolved(document, schema));
    } else if (const Node parts = schema.find("anyOf")) {
        for (const Value part : parts->items()) codes.merge(codes_of(document, part));
    }
    return codes;
}

std::set<std::string> codes_of_response(const Value& document, const Value& response) {
    const Node schema = at_end_of(resolved(document, response), {"content", "application/json", "schema"});
    return schema ? codes_of(document, *schema) : std::set<std::string>();
}

void check_reason(const tests::Answer& answer, const tests::ErrorBody& body) {
    if (body.code == "error" && body.detail.find("outcome is unknown") == std::string::npos)
        throw std::runtime_error("an unexpected 500: " + tests::shown(answer));
}

}  // namespace

Contract::Contract(const std::string& text) {
    const json::Document document = json::read(text);
    for (const auto& [path, item] : document.root().at("paths").members()) {
        for (const char* method : {"get", "post"}) {
            const Node responses = at_end_of(item, {method, "responses"});
            if (!responses) continue;
            Operation operation{Poco::toUpper(std::string(method)), segments_of(std::string(path)), {}};
            for (const auto& [status, response] : responses->members())
                operation.answers[status == "default" ? any_other : std::stoi(std::string(status))] =
                    codes_of_response(document.root(), response);
            operations_.push_back(std::move(operation));
        }
    }
}

const Contract::Operation& Contract::find(const tests::HttpRequest& request) const {
    const std::vector<std::string> sent = segments_of(request.target);
    const auto found = std::ranges::find_if(operations_, [&](const Operation& operation) {
        return operation.method == request.method && std::ranges::equal(operation.segments, sent, matches);
    });
    if (found == operations_.end()) throw std::runtime_error("no documented path: " + request.target);
    return *found;
}

void Contract::check(const tests::HttpRequest& request, const tests::Answer& answer) const {
    tests::check_any_answer(answer);
    const Operation& operation = find(request);
    auto documented = operation.answers.find(answer.status);
    if (documented == operation.answers.end() && answer.status >= 400)
        documented = operation.answers.find(any_other);
    if (documented == operation.answers.end())
        throw std::runtime_error("a status that is not documented: " + tests::shown(answer));
    if (answer.status < 400) return;
    const tests::ErrorBody body = tests::parse_error_body(answer.body);
    if (!documented->second.contains(body.code))
        throw std::runtime_error("a code that is not documented: " + tests::shown(answer));
    check_reason(answer, body);
}

}  // namespace data_import::soak
