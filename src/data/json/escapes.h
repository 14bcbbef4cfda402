// Search for characters that a JSON string has to escape, eight bytes at a time. Private to the folder.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace data_import::json {

inline bool has_to_be_escaped(char character) {
    return static_cast<unsigned char>(character) < 0x20 || character == '"' || character == '\\';
}

/// Returns eight bytes as a number, the first of them in its lowest byte.
inline std::uint64_t eight_bytes(const char* bytes) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes, sizeof eight);
    return std::endian::native == std::endian::little ? eight : __builtin_bswap64(eight);
}

/// Returns marks of the bytes that a JSON string has to escape. `eight` is the result of eight_bytes() for
/// eight bytes of a text. The mark of a byte is its top bit, which is set if the byte has to be escaped. Only
/// the lowest bit that is set is certain; bits above it may be set wrongly.
inline std::uint64_t marks_of_escapes(std::uint64_t eight) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t tops = 0x8080808080808080U;
    const auto marks_zeros = [](std::uint64_t bytes) { return (bytes - ones) & ~bytes; };
    const std::uint64_t below_blank = (eight - ones * 0x20U) & ~eight;
    return (below_blank | marks_zeros(eight ^ (ones * '"')) | marks_zeros(eight ^ (ones * '\\'))) & tops;
}

/// Returns the number of bytes at the start that need no escape. Bytes that are not ASCII need none.
inline std::size_t unescaped_prefix(std::string_view text) {
    constexpr std::size_t word = sizeof(std::uint64_t);
    std::size_t offset = 0;
    for (; text.size() - offset >= word; offset += word) {
        const std::uint64_t marks = marks_of_escapes(eight_bytes(text.data() + offset));
        if (marks != 0) return offset + static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }
    while (offset < text.size() && !has_to_be_escaped(text[offset])) ++offset;
    return offset;
}

}  // namespace data_import::json
