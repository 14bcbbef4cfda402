// The Authorization header (decisions, section 6).
#pragma once

#include <optional>
#include <string_view>

namespace data_import::auth {

/// The token in the header's value: what stands behind `Token` or `Bearer`, in any case, or all of it where
/// it has no blank. Nothing for another scheme; whether the token is one is not looked at.
[[nodiscard]] std::optional<std::string_view> token_in(std::string_view header);

}  // namespace data_import::auth
