#include "data/json/writer.h"

#include <cstdint>

#include "base/util/text.h"
#include "data/json/escapes.h"

namespace data_import::json {

namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

void append_escaped(std::string& target, char character) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(character);
    switch (character) {
        case '"':
            target += "\\\"";
            break;
        case '\\':
            target += "\\\\";
            break;
        case '\b':
            target += "\\b";
            break;
        case '\f':
            target += "\\f";
            break;
        case '\n':
            target += "\\n";
            break;
        case '\r':
            target += "\\r";
            break;
        case '\t':
            target += "\\t";
            break;
        default:
            target.append("\\u00").append(1, digits[code >> 4U]).append(1, digits[code & 0x0FU]);
    }
}

void append_characters(std::string& target, std::string_view utf8) {
    for (;;) {
        const std::size_t unescaped = unescaped_prefix(utf8);
        target.append(utf8, 0, unescaped);
        if (unescaped == utf8.size()) return;
        append_escaped(target, utf8[unescaped]);
        utf8.remove_prefix(unescaped + 1);
    }
}

void append_utf8_string(std::string& target, std::string_view utf8) {
    target += '"';
    append_characters(target, utf8);
    target += '"';
}

}  // namespace

void append_string(std::string& target, std::string_view text) {
    target += '"';
    for (;;) {
        const std::size_t valid = util::utf8_prefix(text);
        append_characters(target, text.substr(0, valid));
        if (valid == text.size()) break;
        target += replacement_character;
        text.remove_prefix(valid + 1);
    }
    target += '"';
}

Writer& Writer::begin(char bracket) {
    separate();
    text_ += bracket;
    comma_ = false;
    return *this;
}

Writer& Writer::end(char bracket) {
    text_ += bracket;
    comma_ = true;
    return *this;
}

Writer& Writer::key(std::string_view name) {
    separate();
    append_utf8_string(text_, name);
    text_ += ':';
    comma_ = false;
    return *this;
}

Writer& Writer::key_literal(std::string_view literal) {
    separate();
    text_ += literal;
    comma_ = false;
    return *this;
}

Writer& Writer::string(std::string_view text) {
    separate();
    append_string(text_, text);
    return *this;
}

Writer& Writer::integer(std::int64_t number) {
    return raw(std::to_string(number));
}

Writer& Writer::boolean(bool truth) {
    return raw(truth ? "true" : "false");
}

Writer& Writer::null() {
    return raw("null");
}

Writer& Writer::raw(std::string_view json_text) {
    separate();
    text_ += json_text;
    return *this;
}

Writer& Writer::value(const Value& parsed) {
    switch (parsed.type()) {
        case Type::null:
            return null();
        case Type::boolean:
            return boolean(parsed.boolean());
        case Type::number:
            return raw(parsed.text());
        case Type::string:
            separate();
            append_utf8_string(text_, parsed.text());
            return *this;
        case Type::array:
            begin_array();
            for (const Value item : parsed.items()) value(item);
            return end_array();
        case Type::object:
            break;
    }
    begin_object();
    for (const auto& [name, member] : parsed.members()) key(name).value(member);
    return end_object();
}

void Writer::separate() {
    if (comma_) text_ += ',';
    comma_ = true;
}

}  // namespace data_import::json
