// How numbers are written in CSV.
#pragma once

namespace data_import::client {

/// The character in front of the decimals.
enum class DecimalMark { point, comma };

}  // namespace data_import::client
