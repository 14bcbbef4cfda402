#include "client/array_items.h"

#include <stdexcept>

namespace data_import::client {

namespace {

[[noreturn]] void fail() {
    throw std::runtime_error("the answer is no array of objects, so it does not come from the service");
}

bool is_space(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

}  // namespace

void ArrayItems::take(std::string_view piece) {
    for (const char byte : piece) place_ == Place::item ? take_of_item(byte) : take(byte);
}

void ArrayItems::finish() const {
    if (place_ != Place::behind) throw std::runtime_error("the answer ends in the middle of its array");
}

void ArrayItems::take(char byte) {
    if (is_space(byte)) return;
    const bool may_begin = place_ == Place::item_or_end || place_ == Place::next_item;
    const bool may_end = place_ == Place::item_or_end || place_ == Place::comma_or_end;
    if (byte == '[' && place_ == Place::before) {
        place_ = Place::item_or_end;
    } else if (byte == '{' && may_begin) {
        place_ = Place::item;
        take_of_item(byte);
    } else if (byte == ',' && place_ == Place::comma_or_end) {
        place_ = Place::next_item;
    } else if (byte == ']' && may_end) {
        place_ = Place::behind;
    } else {
        fail();
    }
}

void ArrayItems::take_of_item(char byte) {
    if (item_.size() == longest) fail();
    item_ += byte;
    if (in_string_) {
        const bool ends = byte == '"' && !is_escaped_;
        is_escaped_ = byte == '\\' && !is_escaped_;
        in_string_ = !ends;
        return;
    }
    in_string_ = byte == '"';
    if (byte == '{' || byte == '[') ++depth_;
    if ((byte != '}' && byte != ']') || --depth_ > 0) return;
    each_(item_);
    item_.clear();
    place_ = Place::comma_or_end;
}

}  // namespace data_import::client
