// Reads header fields of requests.
#pragma once

#include <optional>
#include <string_view>

namespace data_import::http {

/// Returns whether a Content-Type is of this type, in capitals or not. Parameters have no effect (RFC 8259,
/// section 11).
[[nodiscard]] bool has_media_type(std::string_view content_type, std::string_view type);

/// Returns true for the Content-Encoding `gzip`.
[[nodiscard]] bool is_gzip(std::string_view content_encoding);

/// Returns true for a body that is not compressed: no Content-Encoding, or `identity`.
[[nodiscard]] bool is_as_it_is(std::string_view content_encoding);

/// Returns the weight, 0 to 1, that an Accept header (RFC 9110, section 12.5.1) gives to `media_type`.
/// Returns nothing if no entry of the header is exactly this media type; wildcards such as `*/*` do not
/// count. An entry with an invalid weight does not count either. Parameters other than `q` are ignored.
[[nodiscard]] std::optional<double> named_weight(std::string_view accept, std::string_view media_type);

/// Returns whether an Accept-Encoding header takes gzip, by its name or else by `*`. False for an empty
/// header.
[[nodiscard]] bool takes_gzip(std::string_view accept_encoding);

/// Returns whether an If-None-Match header has the entity tag in its list, with or without `W/` (weak
/// comparison), or is `*`. `etag` has its quotation marks.
[[nodiscard]] bool names_etag(std::string_view if_none_match, std::string_view etag);

// Headers by which clients find their own requests again. If such a header is well-formed, the log shows it
// next to the service's own request id (contract, section 3.4).

/// Returns true for a client's X-Request-Id of 1 to 128 letters, digits and `-_.:/+=@`.
[[nodiscard]] bool is_client_request_id(std::string_view text);

/// Returns the part of a traceparent header (W3C Trace Context) with version, trace, parent and flags, in
/// lower-case hexadecimal digits. Returns an empty text if the header is not valid. In versions later than
/// 00, a dash and further text may follow this part; they are left out.
[[nodiscard]] std::string_view traceparent_in(std::string_view text);

}  // namespace data_import::http
