// Numbers as bytes, the most significant one first.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace data_import::util {

/// Reads at most 8 bytes as one number.
[[nodiscard]] constexpr std::uint64_t big_endian(std::string_view bytes) {
    std::uint64_t number = 0;
    for (const char byte : bytes) number = number << 8U | static_cast<unsigned char>(byte);
    return number;
}

/// Writes the last `count` bytes of a number to `target`, the highest byte first; `count` is at most 8.
///
/// The bytes are written by one store and not one by one, because most callers copy them right away. A copy
/// that reads many bytes by one load is slow if each of them was stored alone just before.
template <std::size_t count>
void put_big_endian(char* target, std::uint64_t number) {
    number <<= 8U * (sizeof number - count);
    if constexpr (std::endian::native == std::endian::little) number = __builtin_bswap64(number);
    std::memcpy(target, &number, count);
}

template <std::size_t count>
void append_big_endian(std::string& bytes, std::uint64_t number) {
    char encoded[count];
    put_big_endian<count>(encoded, number);
    bytes.append(encoded, count);
}

}  // namespace data_import::util
