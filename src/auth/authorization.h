// The Authorization header (contract, section 6.2).
#pragma once

#include <optional>
#include <string_view>

namespace data_import::auth {

/// The token in the header's value: the part behind `Token` or `Bearer`, in any case, or all of it if it has
/// no blank. Nothing for another scheme. The token itself is not checked.
[[nodiscard]] std::optional<std::string_view> token_in(std::string_view header);

}  // namespace data_import::auth
