// Writes values of a request as text that error messages quote. Long values are cut, and invisible characters
// are named.
#pragma once

#include <string>
#include <string_view>

#include "data/json/value.h"

namespace data_import::schema {

/// The greatest number of code points that are shown; a longer text is cut.
inline constexpr std::size_t most_shown = 40;

/// Writes a string in quotation marks, a number or a boolean; empty for null, an array or an object.
/// Characters that are invisible or that a terminal obeys are named: `<U+200B>`.
[[nodiscard]] std::string shown(const json::Value& value);
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace data_import::schema
