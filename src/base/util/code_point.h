// Well-formed UTF-8 as code points.
#pragma once

#include <cstddef>
#include <string_view>

namespace data_import::util {

/// Returns the code point at `offset` of well-formed UTF-8, and moves `offset` to the next one. `offset` has
/// to be before the end of the text.
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& offset);

}  // namespace data_import::util
