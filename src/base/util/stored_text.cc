#include "base/util/stored_text.h"

#include "base/util/text.h"

namespace data_import::util {

namespace {

bool continues_code_point(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns whether the first or the last character of a text, which is UTF-8 and not empty, is blank.
bool has_blank_end(std::string_view text) {
    std::size_t first = 1;
    while (first < text.size() && continues_code_point(text[first])) ++first;
    std::size_t last = text.size() - 1;
    while (last > 0 && continues_code_point(text[last])) --last;
    return is_blank(text.substr(0, first)) || is_blank(text.substr(last));
}

}  // namespace

bool has_dot_segment(std::string_view text) {
    const std::string framed = "/" + std::string(text) + "/";
    return framed.find("/../") != std::string::npos || framed.find("/./") != std::string::npos;
}

std::optional<std::string> check_text(std::string_view text, std::size_t longest) {
    if (text.empty()) return "is empty";
    if (!is_utf8(text)) return "is not UTF-8";
    if (is_blank(text)) return "is blank";
    if (count_code_points(text) > longest) return "is longer than " + std::to_string(longest) + " characters";
    return std::nullopt;
}

std::optional<std::string> check_line(std::string_view text, std::size_t longest) {
    if (const auto wrong = check_text(text, longest)) return wrong;
    if (has_control_character(text)) return "holds a control character";
    if (has_direction_control(text)) return "holds an invisible character that changes the direction of text";
    return std::nullopt;
}

std::optional<std::string> check_path_name(std::string_view text, std::size_t longest) {
    if (const auto wrong = check_line(text, longest)) return wrong;
    if (has_dot_segment(text)) return "holds a segment . or ..";
    return std::nullopt;
}

std::optional<std::string> check_stored_name(std::string_view text, std::size_t longest) {
    if (const auto wrong = check_path_name(text, longest)) return wrong;
    if (has_blank_end(text)) return "begins or ends with a blank";
    return std::nullopt;
}

}  // namespace data_import::util
