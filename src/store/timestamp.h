// Times as PostgreSQL writes them, for sessions in UTC.
#pragma once

#include <string>
#include <string_view>

namespace data_import::store {

/// `2020-01-01 12:00:00.5+00` to `2020-01-01T12:00:00.5Z`. Throws std::logic_error for another form.
[[nodiscard]] std::string to_rfc3339(std::string_view timestamptz);

}  // namespace data_import::store
