// How numbers are written in CSV.
#pragma once

namespace data_import::client {

/// What stands before the decimals.
enum class DecimalMark { point, comma };

}  // namespace data_import::client
