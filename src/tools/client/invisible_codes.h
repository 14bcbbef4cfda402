// Finds invisible characters in the numbers and codes of a request. Such a value is probably mistyped.
#pragma once

#include <string_view>
#include <vector>

#include "data/json/value.h"
#include "data/schema/schema.h"
#include "tools/client/input.h"

namespace data_import::client {

inline constexpr std::string_view invisible_character = "invisible_character";

/// Returns a warning for each number or code in the body that has an invisible character, whether the body is
/// valid or not. Free texts are not looked at.
[[nodiscard]] std::vector<LineWarning> invisible_codes(const InputLine& line, const schema::Schema& declared,
                                                       const json::Value& body);

}  // namespace data_import::client
