// The media type and the coding of a request's body.
#pragma once

#include <string_view>

namespace data_import::http {

/// True for `application/json`, whatever its case. Parameters have no effect (RFC 8259, section 11).
[[nodiscard]] bool is_json(std::string_view content_type);

/// The same for `application/x-ndjson`.
[[nodiscard]] bool is_ndjson(std::string_view content_type);

/// True for `gzip`.
[[nodiscard]] bool is_gzip(std::string_view content_encoding);

/// True for a body that is not compressed: no Content-Encoding, or `identity`.
[[nodiscard]] bool is_as_it_is(std::string_view content_encoding);

}  // namespace data_import::http
