// By what a client finds its own request again: headers that go into the log beside the service's own id,
// where they are well formed (contract, section 3.4).
#pragma once

#include <string_view>

namespace data_import::http {

/// An X-Request-Id of a client: 1 to 128 letters, digits and `-_.:/+=@`.
[[nodiscard]] bool is_client_request_id(std::string_view text);

/// Version, trace, parent and flags of a traceparent as W3C Trace Context writes it, in lower-case
/// hexadecimal digits; empty where it is none. A later version than 00 may have more behind another dash,
/// which is left out.
[[nodiscard]] std::string_view traceparent_in(std::string_view text);

}  // namespace data_import::http
