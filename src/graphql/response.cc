#include "graphql/response.h"

#include <algorithm>

namespace data_import::graphql {

namespace {

/// Code points outside the basic plane take two units, all others one; continuation bytes none.
std::uint32_t utf16_units(char character) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0xF0U) return 2;
    return (byte & 0xC0U) != 0x80U ? 1 : 0;
}

}  // namespace

Location Locator::at(std::size_t offset) {
    const std::size_t end = std::min(offset, text_.size());
    if (end < last_offset_) *this = Locator(text_);
    for (; last_offset_ < end; ++last_offset_) {
        const char character = text_[last_offset_];
        const bool is_first_of_two = text_.substr(last_offset_, 2) == "\r\n";
        if ((character == '\n' || character == '\r') && !is_first_of_two) {
            last_ = {last_.line + 1, 1};
        } else {
            last_.column += utf16_units(character);
        }
    }
    return last_;
}

void ErrorList::add(const FieldError& error, std::optional<std::uint32_t> offset, const Place* place) {
    ++size_;
    writer_.begin_object().key("message").string(error.what());
    if (offset) {
        const Location location = locator_.at(*offset);
        writer_.key("locations").begin_array().begin_object();
        writer_.key("line").integer(location.line).key("column").integer(location.column);
        writer_.end_object().end_array();
    }
    if (place != nullptr) {
        writer_.key("path").begin_array();
        write_path(*place);
        writer_.end_array();
    }
    writer_.key("extensions").begin_object().key("code").string(error.code()).end_object().end_object();
}

void ErrorList::write_path(const Place& place) {
    if (place.parent != nullptr) write_path(*place.parent);
    if (const auto* key = std::get_if<std::string_view>(&place.segment)) {
        writer_.string(*key);
    } else {
        writer_.integer(static_cast<std::int64_t>(std::get<std::size_t>(place.segment)));
    }
}

Response ErrorList::refused() {
    json::Writer body;
    body.begin_object().key("errors").raw(writer_.end_array().text()).end_object();
    return {false, body.take()};
}

Response ErrorList::executed(std::string_view data) {
    json::Writer body;
    body.begin_object();
    if (size_ > 0) body.key("errors").raw(writer_.end_array().text());
    body.key("data").raw(data).end_object();
    return {true, body.take()};
}

}  // namespace data_import::graphql
