// A value of a request as a sentence shows it to its sender.
#pragma once

#include <string>
#include <string_view>

#include "data/json/value.h"

namespace data_import::schema {

/// Cut to so many code points.
inline constexpr std::size_t most_shown = 40;

/// A string in quotation marks, a number or a boolean; empty for another value. Characters that nobody sees
/// or that a terminal obeys are named: `<U+200B>`.
[[nodiscard]] std::string shown(const json::Value& value);
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace data_import::schema
