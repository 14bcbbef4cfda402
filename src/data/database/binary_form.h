// Constants of PostgreSQL's binary form that its reader and its writer share. Private to
// database/binary_values and database/array_binary.
#pragma once

#include <cstddef>
#include <cstdint>

namespace data_import::database {

inline constexpr std::int64_t days_to_2000 = 10957;  ///< since 1970: PostgreSQL counts from 2000-01-01
inline constexpr std::int64_t microseconds_to_2000 = days_to_2000 * 86'400 * 1'000'000;
inline constexpr std::size_t digits_in_group = 4;    ///< in a numeric
inline constexpr std::uint16_t minus_sign = 0x4000;  ///< in a numeric
inline constexpr std::uint32_t null_length = 0xFFFFFFFF;

}  // namespace data_import::database
