#include "json/writer.h"

#include "util/text.h"

namespace data_import::json {

namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";

bool has_to_be_escaped(char character) {
    return static_cast<unsigned char>(character) < 0x20 || character == '"' || character == '\\';
}

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

void append_characters(std::string& target, std::string_view text) {
    std::size_t written = 0;
    for (std::size_t offset = 0; offset < text.size(); ++offset) {
        if (!has_to_be_escaped(text[offset])) continue;
        target.append(text, written, offset - written);
        append_escaped(target, text[offset]);
        written = offset + 1;
    }
    target.append(text, written);
}

}  // namespace

void append_string(std::string& target, std::string_view text) {
    target += '"';
    while (!text.empty()) {
        const std::size_t good = util::utf8_prefix(text);
        append_characters(target, text.substr(0, good));
        text.remove_prefix(good);
        if (text.empty()) break;
        target += replacement_character;
        text.remove_prefix(1);
    }
    target += '"';
}

Writer& Writer::begin_object() {
    separate();
    text_ += '{';
    comma_ = false;
    return *this;
}

Writer& Writer::end_object() {
    text_ += '}';
    comma_ = true;
    return *this;
}

Writer& Writer::begin_array() {
    separate();
    text_ += '[';
    comma_ = false;
    return *this;
}

Writer& Writer::end_array() {
    text_ += ']';
    comma_ = true;
    return *this;
}

Writer& Writer::key(std::string_view name) {
    separate();
    append_string(text_, name);
    text_ += ':';
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
            return string(parsed.text());
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
