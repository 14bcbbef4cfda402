#include "base/util/printable.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "base/util/csv.h"
#include "base/util/text.h"

namespace data_import::util {

namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

bool is_unsafe(std::string_view well_formed) {
    return has_control_character(well_formed) || has_direction_control(well_formed);
}

/// Appends well-formed text, and replaces each unsafe character by the result of `replace`.
template <typename Replace>
void append_safe(std::string& result, std::string_view text, Replace replace) {
    if (!is_unsafe(text)) {
        result += text;
        return;
    }
    while (!text.empty()) {
        const std::string_view character = first_code_points(text, 1);
        is_unsafe(character) ? result.append(replace(character)) : result.append(character);
        text.remove_prefix(character.size());
    }
}

template <typename Replace>
std::string replaced(std::string_view text, Replace replace) {
    std::string result;
    while (true) {
        const std::size_t well_formed = utf8_prefix(text);
        append_safe(result, text.substr(0, well_formed), replace);
        if (well_formed == text.size()) return result;
        result += replacement_character;
        text.remove_prefix(well_formed + 1);
    }
}

/// Returns the JSON escape of a C1 or direction control, which has two or three bytes in UTF-8.
std::string escape_of(std::string_view character) {
    unsigned point = static_cast<unsigned char>(character.front()) & (character.size() == 2 ? 0x1FU : 0x0FU);
    for (const char byte : character.substr(1))
        point = point << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", point & 0xFFFFU);
    return escape;
}

/// Returns whether a spreadsheet would take the text for a formula. `text` has no blanks in front.
/// Spreadsheets take some characters of full width for those of ASCII.
bool begins_like_formula(std::string_view text) {
    constexpr std::array<std::string_view, 8> marks = {
        "=", "+", "-", "@", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    return std::ranges::any_of(marks, [&](std::string_view mark) { return text.starts_with(mark); });
}

bool is_number(std::string_view text) {
    const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
    return !digits.empty() && digits.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

std::string printable(std::string_view text) {
    return replaced(text, [](std::string_view) { return " "; });
}

std::string printable_lines(std::string_view text) {
    return replaced(text, [](std::string_view character) { return character == "\n" ? "\n" : " "; });
}

std::string with_escaped_controls(std::string_view text) {
    return replaced(text, [](std::string_view character) {
        return character.size() == 1 ? std::string(character) : escape_of(character);
    });
}

std::string without_formula(std::string_view text) {
    const bool is_formula = begins_like_formula(trimmed(text)) && !is_number(text);
    return (is_formula ? "'" : "") + std::string(text);
}

std::string spreadsheet_field(std::string_view text) {
    return csv_field(without_formula(printable(text)));
}

}  // namespace data_import::util
