// Finds numbers and codes of a request that hold an invisible character: most likely they are mistyped.
#pragma once

#include <string_view>
#include <vector>

#include "data/json/value.h"
#include "data/schema/schema.h"
#include "tools/client/input.h"

namespace data_import::client {

inline constexpr std::string_view invisible_character = "invisible_character";

/// Returns a warning for each such text in the body of the line's request, valid or not. Free texts may hold
/// anything.
[[nodiscard]] std::vector<LineWarning> invisible_codes(const InputLine& line, const schema::Schema& declared,
                                                       const json::Value& body);

}  // namespace data_import::client
