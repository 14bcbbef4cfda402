#include "http/media_type.h"

#include <algorithm>
#include <string>

namespace data_import::http {

namespace {

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
    });
    return result;
}

}  // namespace

bool is_json(std::string_view content_type) {
    const std::string text = lower(content_type);
    const std::size_t semicolon = text.find(';');
    if (trimmed(std::string_view(text).substr(0, semicolon)) != "application/json") return false;
    if (semicolon == std::string::npos) return true;
    const std::string_view parameter = trimmed(std::string_view(text).substr(semicolon + 1));
    return parameter.empty() || parameter == "charset=utf-8" || parameter == "charset=\"utf-8\"";
}

}  // namespace data_import::http
