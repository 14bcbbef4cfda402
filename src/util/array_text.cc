#include "util/array_text.h"

#include <utility>

namespace data_import::util {

void ArrayText::begin_element() {
    if (text_.size() > 1) text_ += ',';
}

void ArrayText::add(std::string_view element) {
    begin_element();
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
    begin_element();
    text_ += "NULL";
}

void ArrayText::append(const ArrayText& other) {
    if (other.text_.size() == 1) return;
    begin_element();
    text_.append(other.text_, 1);
}

std::string ArrayText::take() {
    text_ += '}';
    return std::move(text_);
}

}  // namespace data_import::util
