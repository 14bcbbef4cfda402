// The question whether a long body may come: nginx asks it before it reads the body. Like the metrics it is
// no part of the public interface, and no client can ask for its name.
#pragma once

#include <string_view>

#include "auth/authenticator.h"
#include "http/endpoint.h"
#include "metrics/board.h"

namespace data_import::api {

/// The REQUEST_URI of nginx/long-bodies.conf. Addresses of clients begin with a slash.
inline constexpr std::string_view admission_path = "local:admission";

/// Answers 204; 401 where the token is not valid, with the body of that answer in a header; 403 where the
/// organisation is beyond its share of the pool `bulk`. A request that cannot be judged at present is
/// admitted: its own worker checks again. The authenticator has to outlive the endpoint.
[[nodiscard]] http::Endpoint admission(auth::Authenticator& authenticator, const metrics::Recorder& recorder);

}  // namespace data_import::api
