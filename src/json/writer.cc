#include "json/writer.h"

#include <cstdint>
#include <cstring>

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

/// True where one of eight bytes is a quotation mark, a backslash, a control character or not ASCII.
bool has_special(std::uint64_t eight) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t tops = 0x8080808080808080U;
    const auto has_byte = [&](unsigned char byte) {
        const std::uint64_t zero_there = eight ^ (ones * byte);
        return (zero_there - ones) & ~zero_there;
    };
    const std::uint64_t below_blank = (eight - ones * 0x20U) & ~eight;
    return ((has_byte('"') | has_byte('\\') | below_blank | eight) & tops) != 0;
}

/// How many bytes at the start can be written as they are: ASCII without anything to escape. Most texts are
/// that, and eight at a time is several times faster.
std::size_t plain_prefix(std::string_view text) {
    std::size_t offset = 0;
    for (std::uint64_t eight = 0; text.size() - offset >= sizeof eight; offset += sizeof eight) {
        std::memcpy(&eight, text.data() + offset, sizeof eight);
        if (has_special(eight)) break;
    }
    while (offset < text.size() && !has_to_be_escaped(text[offset]) &&
           static_cast<unsigned char>(text[offset]) < 0x80) {
        ++offset;
    }
    return offset;
}

void append_characters(std::string& target, std::string_view text) {
    for (;;) {
        std::size_t plain = plain_prefix(text);
        while (plain < text.size() && !has_to_be_escaped(text[plain])) ++plain;
        target.append(text, 0, plain);
        if (plain == text.size()) return;
        append_escaped(target, text[plain]);
        text.remove_prefix(plain + 1);
    }
}

}  // namespace

void append_string(std::string& target, std::string_view text) {
    target += '"';
    if (const std::size_t plain = plain_prefix(text); plain > 0) {
        target.append(text, 0, plain);
        text.remove_prefix(plain);
    }
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
