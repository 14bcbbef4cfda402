// By what a client finds its own request again: headers that go into the log beside the service's own id,
// where they are well formed (extensions, section 1).
#pragma once

#include <string_view>

namespace data_import::http {

/// An X-Request-Id of a client: 1 to 128 letters, digits and `-_.:/+=@`.
[[nodiscard]] bool is_client_request_id(std::string_view text);

/// A traceparent as W3C Trace Context writes it: version, trace, parent and flags in lower-case hexadecimal
/// digits; of a later version than 00 more may follow behind another dash.
[[nodiscard]] bool is_traceparent(std::string_view text);

}  // namespace data_import::http
