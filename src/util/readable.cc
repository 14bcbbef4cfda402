#include "util/readable.h"

#include <algorithm>

namespace data_import::util {

std::string grouped(std::string_view decimal) {
    const std::size_t first = decimal.starts_with('-') ? 1 : 0;
    const std::size_t point = std::min(decimal.find('.'), decimal.size());
    std::string text(decimal.substr(0, first));
    for (std::size_t place = first; place < point; ++place) {
        if (place > first && (point - place) % 3 == 0) text += ',';
        text += decimal[place];
    }
    return text += decimal.substr(point);
}

std::string in_words(std::string_view name) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    return words;
}

}  // namespace data_import::util
