// Times and uuids as PostgreSQL writes them, for sessions in UTC, as the interface gives them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "database/rows.h"

namespace data_import::store {

/// `2020-01-01 12:00:00.5+00` to `2020-01-01T12:00:00.5Z`. Throws std::logic_error for another form.
[[nodiscard]] std::string to_rfc3339(std::string_view timestamptz);
/// The same for a column; nothing for NULL.
[[nodiscard]] std::optional<std::string> optional_time(const database::Rows& rows, std::size_t row,
                                                       std::size_t column);

/// 32 hexadecimal digits, as in request ids and fingerprints: without the dashes.
[[nodiscard]] std::string uuid_digits(std::string_view uuid);
[[nodiscard]] std::optional<std::string> optional_uuid_digits(const database::Rows& rows, std::size_t row,
                                                              std::size_t column);

}  // namespace data_import::store
