#include "base/util/code_point.h"

namespace data_import::util {

namespace {

unsigned byte_at(std::string_view text, std::size_t offset) {
    return static_cast<unsigned char>(text[offset]);
}

}  // namespace

char32_t next_code_point(std::string_view text, std::size_t& offset) {
    const unsigned lead = byte_at(text, offset++);
    if (lead < 0x80) return lead;
    char32_t point = lead & (lead < 0xE0 ? 0x1FU : lead < 0xF0 ? 0x0FU : 0x07U);
    for (; offset < text.size() && (byte_at(text, offset) & 0xC0U) == 0x80U; ++offset)
        point = point << 6U | (byte_at(text, offset) & 0x3FU);
    return point;
}

}  // namespace data_import::util
