#include <stdexcept>

#include "base/texts/texts.h"

namespace data_import::texts {

namespace {

constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/// Returns the indentation for a value after this beginning of a line: the beginning itself if it has only
/// blanks, otherwise an empty text.
std::string indent_of(std::string_view line) {
    return std::string(line.find_first_not_of(' ') == std::string_view::npos ? line : std::string_view());
}

void append_indented(std::string& text, std::string_view value) {
    const std::string indent = indent_of(std::string_view(text).substr(text.rfind('\n') + 1));
    for (std::size_t at = 0; at < value.size(); ++at) {
        text += value[at];
        const bool line_follows = value[at] == '\n' && at + 1 < value.size() && value[at + 1] != '\n';
        if (line_follows) text += indent;
    }
}

}  // namespace

std::string filled(std::string_view text, const Replacements& places) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end =
            text[at] == '@' ? text.find_first_not_of(letters, at + 1) : std::string_view::npos;
        const bool is_place = end != std::string_view::npos && end > at + 1 && text[end] == '@';
        if (!is_place) {
            result += text[at++];
            continue;
        }
        const std::string_view name = text.substr(at + 1, end - at - 1);
        const auto place = places.find(name);
        if (place == places.end())
            throw std::logic_error("nothing stands in the place @" + std::string(name) + "@");
        append_indented(result, place->second);
        at = end + 1;
    }
    return result;
}

}  // namespace data_import::texts
