// What has to be escaped in a JSON string, searched for eight bytes at a time. Private to the folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace data_import::json {

inline bool has_to_be_escaped(char character) {
    return static_cast<unsigned char>(character) < 0x20 || character == '"' || character == '\\';
}

/// How many bytes at the start need no escape; those that are not ASCII need none.
inline std::size_t unescaped_prefix(std::string_view text) {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t tops = 0x8080808080808080U;
    const auto marks_zeros = [](std::uint64_t bytes) { return (bytes - ones) & ~bytes; };
    std::size_t offset = 0;
    for (std::uint64_t eight = 0; text.size() - offset >= sizeof eight; offset += sizeof eight) {
        std::memcpy(&eight, text.data() + offset, sizeof eight);
        const std::uint64_t below_blank = (eight - ones * 0x20U) & ~eight;
        const std::uint64_t quote_or_backslash =
            marks_zeros(eight ^ (ones * '"')) | marks_zeros(eight ^ (ones * '\\'));
        if (((below_blank | quote_or_backslash) & tops) != 0) break;
    }
    while (offset < text.size() && !has_to_be_escaped(text[offset])) ++offset;
    return offset;
}

}  // namespace data_import::json
