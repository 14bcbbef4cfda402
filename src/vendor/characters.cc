#include "vendor/characters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

namespace data_import::vendor {

namespace {

/// The zeros of Unicode's decimal digits (general category Nd) in the basic plane; the nine others follow.
constexpr std::array<char32_t, 37> zeros = {
    U'0',   0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66,
    0x0DE6, 0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50,
    0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0xFF10};

/// The mathematical digits, five alphabets of ten.
constexpr char32_t first_mathematical_digit = 0x1D7CE;
constexpr char32_t last_mathematical_digit = 0x1D7FF;

std::optional<unsigned> digit_value(char32_t code) {
    if (code >= first_mathematical_digit && code <= last_mathematical_digit)
        return static_cast<unsigned>((code - first_mathematical_digit) % 10);
    const auto behind = std::ranges::upper_bound(zeros, code);
    if (behind == zeros.begin()) return std::nullopt;
    const char32_t distance = code - *std::prev(behind);
    return distance < 10 ? std::optional(static_cast<unsigned>(distance)) : std::nullopt;
}

constexpr char32_t full_width_shift = 0xFF21 - U'A';

std::optional<unsigned> letter_value(char32_t code) {
    const char32_t plain = code >= 0xFF21 && code <= 0xFF5A ? code - full_width_shift : code;
    if (plain >= U'A' && plain <= U'Z') return static_cast<unsigned>(plain - U'A' + 10);
    if (plain >= U'a' && plain <= U'z') return static_cast<unsigned>(plain - U'a' + 10);
    return std::nullopt;
}

std::size_t length_of(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    if (byte < 0x80) return 1;
    if (byte < 0xE0) return 2;
    return byte < 0xF0 ? 3 : 4;
}

char32_t decode(std::string_view bytes) {
    const auto lead = static_cast<unsigned char>(bytes.front());
    char32_t code = bytes.size() == 1 ? lead : lead & (0xFFU >> (bytes.size() + 1));
    for (const char byte : bytes.substr(1)) code = code << 6U | (static_cast<unsigned char>(byte) & 0x3FU);
    return code;
}

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array<Range, 17> separators = {{{0x09, 0x0D},
                                               {0x20, 0x20},
                                               {0x2D, 0x2F},
                                               {0x5F, 0x5F},
                                               {0x85, 0x85},
                                               {0xA0, 0xA0},
                                               {0xAD, 0xAD},
                                               {0xB7, 0xB7},
                                               {0x1680, 0x1680},
                                               {0x180E, 0x180E},
                                               {0x2000, 0x2015},
                                               {0x2022, 0x2022},
                                               {0x2024, 0x2044},
                                               {0x205F, 0x2064},
                                               {0x2212, 0x2212},
                                               {0x3000, 0x3000},
                                               {0xFEFF, 0xFEFF}}};

}  // namespace

std::vector<Character> characters_of(std::string_view text) {
    std::vector<Character> characters;
    characters.reserve(text.size());
    while (!text.empty()) {
        const std::string_view bytes = text.substr(0, length_of(text.front()));
        characters.push_back({decode(bytes), bytes});
        text.remove_prefix(bytes.size());
    }
    return characters;
}

bool is_digit(char32_t code) {
    return digit_value(code).has_value();
}

bool is_letter(char32_t code) {
    return letter_value(code).has_value();
}

bool is_letter_or_digit(char32_t code) {
    return is_letter(code) || is_digit(code);
}

bool is_separator(char32_t code) {
    return std::ranges::any_of(
        separators, [code](const Range& range) { return code >= range.first && code <= range.last; });
}

bool is_visible(char32_t code) {
    return code < 0x80 ? is_letter_or_digit(code) : !is_separator(code);
}

unsigned value_of(char32_t code) {
    const auto digit = digit_value(code);
    return digit ? *digit : letter_value(code).value_or(0);
}

}  // namespace data_import::vendor
