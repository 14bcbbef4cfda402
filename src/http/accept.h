// The media types that a client accepts: the Accept header (RFC 9110, section 12.5.1).
#pragma once

#include <optional>
#include <string_view>

namespace data_import::http {

/// The weight, 0 to 1, that the header gives a media type by its full name; nothing where it does not name
/// it, whatever its ranges (`*/*`) cover. Parameters other than `q` are not looked at; a range with a weight
/// that is none counts as not there.
[[nodiscard]] std::optional<double> named_weight(std::string_view accept, std::string_view media_type);

}  // namespace data_import::http
