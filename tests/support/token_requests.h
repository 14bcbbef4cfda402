// Requests for tokens, as tests send them.
#pragma once

#include <string>

#include "http.h"

namespace data_import::tests {

[[nodiscard]] HttpRequest token_request_by_key(const std::string& api_key);
[[nodiscard]] HttpRequest token_request_by_refresh_token(const std::string& refresh_token);

/// The outcome of an answer of status 200: `extensions.code` of its first error, or empty for a token.
[[nodiscard]] std::string refusal_of(const Answer& answer);
/// A member of the payload of a good answer (`token`, `refreshToken`, `expiresIn`).
[[nodiscard]] std::string token_member(const Answer& answer, const std::string& name);

}  // namespace data_import::tests
