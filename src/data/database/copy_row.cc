#include "data/database/copy_row.h"

namespace data_import::database {

namespace {

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

}  // namespace data_import::database
