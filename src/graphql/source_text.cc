#include "graphql/source_text.h"

#include <algorithm>

namespace data_import::graphql {

namespace {

constexpr std::size_t distance = 256;

/// Code points outside the basic plane take two units, all others one; continuation bytes none.
std::uint32_t utf16_units(char character) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte >= 0xF0U) return 2;
    return (byte & 0xC0U) != 0x80U ? 1 : 0;
}

}  // namespace

Location Locator::at(std::uint32_t offset) {
    if (checkpoints_.empty()) {
        checkpoints_.emplace_back();
        for (std::size_t start = 0; start + distance <= text_.size(); start += distance)
            checkpoints_.push_back(advance(checkpoints_.back(), start, start + distance));
    }
    const std::size_t end = std::min<std::size_t>(offset, text_.size());
    const std::size_t nearest = end / distance;
    return advance(checkpoints_[nearest], nearest * distance, end);
}

Location Locator::advance(Location from, std::size_t offset, std::size_t end) const {
    for (; offset < end; ++offset) {
        const bool is_first_of_two = text_.substr(offset, 2) == "\r\n";
        if ((text_[offset] == '\n' || text_[offset] == '\r') && !is_first_of_two) {
            from = {from.line + 1, 1};
        } else {
            from.column += utf16_units(text_[offset]);
        }
    }
    return from;
}

}  // namespace data_import::graphql
