// Writes JSON: appends to one string in the order of the calls, and escapes what has to be escaped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "data/json/value.h"

namespace data_import::json {

/// Builds one JSON text. Calls nest as the text does:
///     Writer writer;
///     writer.begin_object().key("notes").begin_array().string("ü").end_array().end_object();
///     writer.take()   // {"notes":["ü"]}
/// Commas and colons are set by the writer. Keys have to be UTF-8; in strings, bytes that are not UTF-8 are
/// written as U+FFFD, so that the result is always valid JSON.
class Writer {
public:
    Writer& begin_object() { return begin('{'); }
    Writer& end_object() { return end('}'); }
    Writer& begin_array() { return begin('['); }
    Writer& end_array() { return end(']'); }
    Writer& key(std::string_view name);
    /// Writes a key that comes with its quotes and colon: `"body":`.
    Writer& key_literal(std::string_view literal);
    Writer& string(std::string_view text);
    Writer& integer(std::int64_t number);
    Writer& boolean(bool truth);
    Writer& null();
    Writer& string_or_null(std::optional<std::string_view> text) { return text ? string(*text) : null(); }
    /// Writes a number or any other JSON text as it is.
    Writer& raw(std::string_view json_text);
    /// Writes a parsed value: members in their order, numbers as their literals.
    Writer& value(const Value& parsed);

    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] std::string take() { return std::move(text_); }

private:
    Writer& begin(char bracket);
    Writer& end(char bracket);
    void separate();

    std::string text_;
    bool comma_ = false;  ///< the next value on this level needs a comma
};

/// Appends a JSON string literal with its quotes. Bytes that are not UTF-8 become U+FFFD.
void append_string(std::string& target, std::string_view text);

}  // namespace data_import::json
