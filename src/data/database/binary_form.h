// Constants of PostgreSQL's binary form, for reading and for writing it. Private to database/binary_values
// and database/array_binary.
#pragma once

#include <cstddef>
#include <cstdint>

namespace data_import::database {

/// Days from 1970-01-01 to 2000-01-01, from which PostgreSQL counts.
inline constexpr std::int64_t days_to_2000 = 10957;
inline constexpr std::int64_t microseconds_to_2000 = days_to_2000 * 86'400 * 1'000'000;
inline constexpr std::size_t digits_in_group = 4;    ///< decimal digits in a group of a numeric
inline constexpr std::uint16_t minus_sign = 0x4000;  ///< sign of a negative numeric
inline constexpr std::uint32_t null_length = 0xFFFFFFFF;

}  // namespace data_import::database
