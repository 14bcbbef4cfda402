// The media type and the coding of a request's body.
#pragma once

#include <string_view>

namespace data_import::http {

/// True for `application/json`, whatever its case, alone or with `charset=utf-8`.
[[nodiscard]] bool is_json(std::string_view content_type);

/// True for a body that is not compressed: no Content-Encoding, or `identity`.
[[nodiscard]] bool is_as_it_is(std::string_view content_encoding);

}  // namespace data_import::http
