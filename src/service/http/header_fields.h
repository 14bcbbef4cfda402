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

/// Returns the weight, 0 to 1, that an Accept header (RFC 9110, section 12.5.1) gives a media type by its
/// full name. Returns nothing if the header does not have the full name, even if it has `*/*`. An entry of
/// the header with an invalid weight does not count. Parameters other than `q` are ignored.
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

/// Returns version, trace, parent and flags of a traceparent as W3C Trace Context writes it, in lower-case
/// hexadecimal digits; empty for any other text. If the version is later than 00, another dash and further
/// text may follow; they are left out.
[[nodiscard]] std::string_view traceparent_in(std::string_view text);

}  // namespace data_import::http
