// The media type of a request's body.
#pragma once

#include <string_view>

namespace data_import::http {

/// True for `application/json`, whatever its case, alone or with `charset=utf-8`.
[[nodiscard]] bool is_json(std::string_view content_type);

}  // namespace data_import::http
