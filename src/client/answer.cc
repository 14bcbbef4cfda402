#include "client/answer.h"

#include <string_view>

#include "json/reader.h"

namespace data_import::client {

namespace {

std::string text_of(const json::Value& object, std::string_view key) {
    const auto member = object.find(key);
    return member && member->is(json::Type::string) ? std::string(member->text()) : std::string();
}

std::optional<ErrorItem> first_error(const json::Value& answer) {
    const auto errors = answer.find("errors");
    if (!errors || !errors->is(json::Type::array)) return std::nullopt;
    for (const json::Value item : errors->items()) {
        if (!item.is(json::Type::object)) break;
        return ErrorItem{text_of(item, "attr"), text_of(item, "code"), text_of(item, "detail")};
    }
    return std::nullopt;
}

void count_results(const json::Value& results, Answer& answer) {
    for (const json::Value item : results.items()) {
        if (!item.is(json::Type::object)) continue;
        const std::string status = text_of(item, "status");
        if (!status.empty()) ++answer.records[status];
    }
}

}  // namespace

std::optional<Answer> read_answer(const std::string& body) {
    try {
        const json::Document document = json::read(body);
        const json::Value root = document.root();
        Answer answer;
        if (root.is(json::Type::array)) count_results(root, answer);
        if (root.is(json::Type::object)) {
            answer.code = text_of(root, "code");
            answer.detail = text_of(root, "detail");
            answer.first_error = first_error(root);
            const auto results = root.find("results");
            if (results && results->is(json::Type::array)) count_results(*results, answer);
        }
        return answer;
    } catch (const json::SyntaxError&) {
        return std::nullopt;
    }
}

}  // namespace data_import::client
