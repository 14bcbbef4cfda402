#include "base/util/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "base/util/code_point.h"

namespace data_import::util {

namespace {

unsigned char byte_at(std::string_view text, std::size_t offset) {
    return static_cast<unsigned char>(text[offset]);
}

bool is_continuation(unsigned char byte) {
    return (byte & 0xC0U) == 0x80U;
}

/// Returns true if the next eight bytes are ASCII. Most payloads are ASCII, and a test of eight bytes at a
/// time is several times faster.
bool next_eight_are_ascii(std::string_view text, std::size_t offset) {
    std::uint64_t eight = 0;
    if (text.size() - offset < sizeof eight) return false;
    std::memcpy(&eight, text.data() + offset, sizeof eight);
    return (eight & 0x8080808080808080U) == 0;
}

/// The form of the UTF-8 sequences that begin with a certain lead byte (Unicode, table 3-7): their length and
/// the range of their second byte.
struct Sequence {
    std::size_t length;
    unsigned char low;
    unsigned char high;
};

Sequence sequence_of(unsigned char lead) {
    if (lead < 0x80) return {1, 0, 0};
    if (lead < 0xC2) return {0, 0, 0};
    if (lead < 0xE0) return {2, 0x80, 0xBF};
    if (lead == 0xE0) return {3, 0xA0, 0xBF};
    if (lead == 0xED) return {3, 0x80, 0x9F};
    if (lead < 0xF0) return {3, 0x80, 0xBF};
    if (lead == 0xF0) return {4, 0x90, 0xBF};
    if (lead < 0xF4) return {4, 0x80, 0xBF};
    if (lead == 0xF4) return {4, 0x80, 0x8F};
    return {0, 0, 0};
}

bool continues(std::string_view text, std::size_t offset, const Sequence& sequence) {
    if (text.size() - offset < sequence.length) return false;
    const unsigned char second = byte_at(text, offset + 1);
    if (second < sequence.low || second > sequence.high) return false;
    for (std::size_t next = 2; next < sequence.length; ++next) {
        if (!is_continuation(byte_at(text, offset + next))) return false;
    }
    return true;
}

/// Tests Unicode's property White_Space (PropList.txt).
bool is_white_space(char32_t point) {
    constexpr std::array<char32_t, 8> others = {0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F};
    return (point >= 0x09 && point <= 0x0D) || (point >= 0x2000 && point <= 0x200A) || point == 0x3000 ||
           std::find(others.begin(), others.end(), point) != others.end();
}

/// Tests for C0, DEL and C1.
bool is_control(char32_t point) {
    return point < 0x20 || (point >= 0x7F && point <= 0x9F);
}

/// Tests Unicode's property Bidi_Control (PropList.txt).
bool is_direction_control(char32_t point) {
    return point == 0x061C || point == 0x200E || point == 0x200F || (point >= 0x202A && point <= 0x202E) ||
           (point >= 0x2066 && point <= 0x2069);
}

template <typename Test>
bool any_code_point(std::string_view text, Test test) {
    std::size_t offset = 0;
    while (offset < text.size()) {
        if (test(next_code_point(text, offset))) return true;
    }
    return false;
}

std::optional<unsigned> hexadecimal(char digit) {
    if (digit >= '0' && digit <= '9') return static_cast<unsigned>(digit - '0');
    if (digit >= 'a' && digit <= 'f') return static_cast<unsigned>(digit - 'a' + 10);
    if (digit >= 'A' && digit <= 'F') return static_cast<unsigned>(digit - 'A' + 10);
    return std::nullopt;
}

/// Returns the byte that `%XY` at `offset` stands for.
std::optional<char> escaped_byte(std::string_view segment, std::size_t offset) {
    if (segment.size() - offset < 3) return std::nullopt;
    const auto high = hexadecimal(segment[offset + 1]);
    const auto low = hexadecimal(segment[offset + 2]);
    if (!high || !low || (*high == 0 && *low == 0)) return std::nullopt;
    return static_cast<char>(static_cast<unsigned char>(*high << 4U | *low));
}

}  // namespace

bool is_utf8(std::string_view text) {
    return utf8_prefix(text) == text.size();
}

std::size_t utf8_prefix(std::string_view text) {
    std::size_t offset = 0;
    while (offset < text.size()) {
        if (next_eight_are_ascii(text, offset)) {
            offset += 8;
            continue;
        }
        const Sequence sequence = sequence_of(byte_at(text, offset));
        if (sequence.length == 0 || (sequence.length > 1 && !continues(text, offset, sequence))) break;
        offset += sequence.length;
    }
    return offset;
}

std::size_t count_code_points(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
        return !is_continuation(static_cast<unsigned char>(byte));
    }));
}

std::string_view first_code_points(std::string_view text, std::size_t count) {
    std::size_t offset = 0;
    for (; count > 0 && offset < text.size(); --count) static_cast<void>(next_code_point(text, offset));
    return text.substr(0, offset);
}

bool is_blank(std::string_view text) {
    return !any_code_point(text, [](char32_t point) { return !is_white_space(point); });
}

bool has_control_character(std::string_view text) {
    return any_code_point(text, is_control);
}

bool has_direction_control(std::string_view text) {
    return any_code_point(text, is_direction_control);
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& letter : result) {
        if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    }
    return result;
}

std::string raised(std::string_view text) {
    std::string result(text);
    for (char& letter : result) {
        if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
    }
    return result;
}

std::optional<std::string> percent_decode(std::string_view segment) {
    std::string decoded;
    decoded.reserve(segment.size());
    for (std::size_t offset = 0; offset < segment.size(); ++offset) {
        if (segment[offset] == '\0') return std::nullopt;
        if (segment[offset] != '%') {
            decoded += segment[offset];
            continue;
        }
        const auto byte = escaped_byte(segment, offset);
        if (!byte) return std::nullopt;
        decoded += *byte;
        offset += 2;
    }
    return is_utf8(decoded) ? std::optional(std::move(decoded)) : std::nullopt;
}

std::string percent_encode(std::string_view text) {
    constexpr std::string_view unreserved =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (unreserved.find(character) != std::string_view::npos) {
            encoded += character;
        } else {
            ((encoded += '%') += digits[byte >> 4U]) += digits[byte & 0xFU];
        }
    }
    return encoded;
}

}  // namespace data_import::util
