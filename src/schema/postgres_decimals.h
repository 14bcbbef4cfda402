// Decimals as PostgreSQL takes and shows them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/value.h"

namespace data_import::schema {

/// A decimal as PostgreSQL takes it: zero may have an exponent that it refuses (0e9999999999), and a decimal
/// more zeros at its end than it keeps. The text is `sent`, or stands in `room`.
[[nodiscard]] std::string_view taken_decimal(std::string_view sent, std::string& room);

/// How the decimals of a row were written, for answers that repeat them as they were sent
/// (data_import.as_written): nothing for strings as PostgreSQL shows them, `#` for such numbers, else a JSON
/// array of the literals, null for a decimal that was not sent.
[[nodiscard]] std::optional<std::string> written(std::span<const std::optional<json::Value>> decimals);

}  // namespace data_import::schema
