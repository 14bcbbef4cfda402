#include "database/copy_row.h"

#include <algorithm>
#include <stdexcept>

namespace data_import::database {

namespace {

char unescaped(char code) {
    switch (code) {
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        case 'v':
            return '\v';
        default:
            return code;
    }
}

/// Nothing for NULL; `buffer` holds the text where it had escapes.
std::optional<std::string_view> decode(std::string_view field, std::string& buffer) {
    if (field == "\\N") return std::nullopt;
    if (field.find('\\') == std::string_view::npos) return field;
    buffer.clear();
    for (std::size_t index = 0; index < field.size(); ++index) {
        const bool escaped = field[index] == '\\' && index + 1 < field.size();
        buffer += escaped ? unescaped(field[++index]) : field[index];
    }
    return buffer;
}

void append_escaped(std::string& text, std::string_view value) {
    for (const char byte : value) {
        switch (byte) {
            case '\\':
                text += "\\\\";
                break;
            case '\n':
                text += "\\n";
                break;
            case '\r':
                text += "\\r";
                break;
            case '\t':
                text += "\\t";
                break;
            default:
                text += byte;
        }
    }
}

}  // namespace

void append_copy_row(std::string& text, std::initializer_list<std::optional<std::string_view>> columns) {
    for (const auto& column : columns) {
        column ? append_escaped(text, *column) : static_cast<void>(text += "\\N");
        text += '\t';
    }
    text.back() = '\n';
}

void CopyRow::read(std::string_view row, std::size_t columns) {
    buffers_.resize(columns);
    fields_.clear();
    std::size_t begin = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        if (begin > row.size()) throw std::logic_error("a row of a listing has too few columns");
        const std::size_t end = std::min(row.find('\t', begin), row.size());
        fields_.push_back(decode(row.substr(begin, end - begin), buffers_[column]));
        begin = end + 1;
    }
    if (begin <= row.size()) throw std::logic_error("a row of a listing has too many columns");
}

}  // namespace data_import::database
