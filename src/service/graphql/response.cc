#include "service/graphql/response.h"

#include <algorithm>

namespace data_import::graphql {

Location locate(std::string_view text, std::size_t offset, Location place, std::size_t from) {
    for (std::size_t index = from; index < std::min(offset, text.size()); ++index) {
        const auto byte = static_cast<unsigned char>(text[index]);
        const bool is_first_of_two = byte == '\r' && text.substr(index + 1).starts_with('\n');
        if ((byte == '\n' || byte == '\r') && !is_first_of_two) {
            place = {place.line + 1, 1};
        } else if ((byte & 0xC0U) != 0x80U) {
            // Code points outside the basic plane are two units of UTF-16.
            place.column += byte >= 0xF0U ? 2 : 1;
        }
    }
    return place;
}

void ErrorList::add(const FieldError& error, std::optional<std::uint32_t> offset, const PathSegment* place) {
    ++size_;
    writer_.begin_object().key("message").string(error.what());
    if (offset) {
        const bool is_behind = *offset >= last_offset_;
        const Location location =
            is_behind ? locate(document_, *offset, last_location_, last_offset_) : locate(document_, *offset);
        last_location_ = location;
        last_offset_ = *offset;
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

void ErrorList::write_path(const PathSegment& place) {
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
