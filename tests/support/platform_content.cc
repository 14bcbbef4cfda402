#include "platform_content.h"

#include <map>

#include "json/reader.h"
#include "json/writer.h"

namespace data_import::tests {

namespace {

void append(std::string& text, const json::Value& value);

/// Names of fields are ASCII, so that bytes sort like UTF-16 code units.
void append_members(std::string& text, const json::Value& object) {
    std::map<std::string_view, json::Value> members;
    for (const auto& [name, member] : object.members()) members.emplace(name, member);
    char separator = '{';
    for (const auto& [name, member] : members) {
        text += separator;
        json::append_string(text, name);
        text += ':';
        append(text, member);
        separator = ',';
    }
    text += members.empty() ? "{}" : "}";
}

void append_items(std::string& text, const json::Value& array) {
    char separator = '[';
    for (const json::Value item : array.items()) {
        text += separator;
        append(text, item);
        separator = ',';
    }
    text += array.size() == 0 ? "[]" : "]";
}

void append(std::string& text, const json::Value& value) {
    switch (value.type()) {
        case json::Type::object:
            return append_members(text, value);
        case json::Type::array:
            return append_items(text, value);
        case json::Type::string:
            return json::append_string(text, value.text());
        case json::Type::number:
            text += value.text();
            return;
        case json::Type::boolean:
            text += value.boolean() ? "true" : "false";
            return;
        case json::Type::null:
            text += "null";
            return;
    }
}

}  // namespace

std::string canonical_content(const std::string& content) {
    std::string text;
    append(text, json::read(content).root());
    return text;
}

}  // namespace data_import::tests
