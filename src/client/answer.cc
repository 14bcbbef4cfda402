#include "client/answer.h"

#include <string_view>

#include "json/reader.h"

namespace data_import::client {

namespace {

std::string text_of(const json::Value& object, std::string_view key) {
    const auto member = object.find(key);
    return member && member->is(json::Type::string) ? std::string(member->text()) : std::string();
}

std::vector<ErrorItem> errors_of(const json::Value& answer) {
    std::vector<ErrorItem> items;
    const auto errors = answer.find("errors");
    if (!errors || !errors->is(json::Type::array)) return items;
    for (const json::Value item : errors->items()) {
        if (!item.is(json::Type::object)) break;
        items.push_back({text_of(item, "attr"), text_of(item, "code"), text_of(item, "detail")});
    }
    return items;
}

void count_results(const json::Value& results, Answer& answer) {
    for (const json::Value item : results.items()) {
        if (!item.is(json::Type::object)) continue;
        const std::string status = text_of(item, "status");
        const auto differs = item.find("differs");
        const bool is_other = differs && differs->is(json::Type::boolean) && differs->boolean();
        if (is_other) ++answer.differing;
        if (!status.empty()) ++answer.records[status + (is_other ? " with other content" : "")];
    }
}

}  // namespace

Answer answer_of(const json::Value& body) {
    Answer answer;
    if (body.is(json::Type::array)) count_results(body, answer);
    if (!body.is(json::Type::object)) return answer;
    answer.code = text_of(body, "code");
    answer.detail = text_of(body, "detail");
    answer.errors = errors_of(body);
    const auto results = body.find("results");
    if (results && results->is(json::Type::array)) count_results(*results, answer);
    return answer;
}

std::optional<Answer> read_answer(const std::string& body) {
    try {
        return answer_of(json::read(body).root());
    } catch (const json::SyntaxError&) {
        return std::nullopt;
    }
}

}  // namespace data_import::client
