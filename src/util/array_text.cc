#include "util/array_text.h"

#include <utility>

namespace data_import::util {

void ArrayText::add(std::string_view element) {
    if (text_.size() > 1) text_ += ',';
    text_ += '"';
    std::size_t written = 0;
    for (std::size_t place = 0; place < element.size(); ++place) {
        if (element[place] != '"' && element[place] != '\\') continue;
        text_.append(element, written, place - written) += '\\';
        written = place;
    }
    text_.append(element, written) += '"';
}

void ArrayText::add_null() {
    if (text_.size() > 1) text_ += ',';
    text_ += "NULL";
}

std::string ArrayText::take() {
    text_ += '}';
    return std::move(text_);
}

}  // namespace data_import::util
