#include "base/util/readable.h"

#include <algorithm>
#include <sstream>

#include "base/util/text.h"

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

std::string grouped_money(std::string_view decimal) {
    constexpr std::size_t minor_digits = 2;
    const std::size_t point = decimal.find('.');
    const std::size_t digits = point == std::string_view::npos ? 0 : decimal.size() - point - 1;
    std::string text = grouped(decimal);
    if (point == std::string_view::npos) text += '.';
    return text.append(minor_digits - std::min(digits, minor_digits), '0');
}

std::string size_text(std::size_t bytes) {
    constexpr std::size_t mebibyte = std::size_t{1} << 20U;
    constexpr std::size_t gibibyte = std::size_t{1} << 30U;
    if (bytes > 0 && bytes % gibibyte == 0) return std::to_string(bytes / gibibyte) + " GiB";
    if (bytes % mebibyte == 0) return std::to_string(bytes / mebibyte) + " MiB";
    return std::to_string(bytes >> 10U) + " KiB";
}

std::string in_words(std::string_view name) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    return words;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view line_break, bool break_words) {
    std::string lines;
    std::size_t column = 0;
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        std::string_view rest = word;
        if (column > 0) {
            const bool fits = column + 1 + count_code_points(word) <= width;
            lines += fits ? " " : line_break;
            column = fits ? column + 1 : 0;
        }
        while (break_words && count_code_points(rest) > width) {
            const std::string_view part = first_code_points(rest, width);
            lines.append(part).append(line_break);
            rest.remove_prefix(part.size());
        }
        lines += rest;
        column += count_code_points(rest);
    }
    return lines;
}

}  // namespace data_import::util
