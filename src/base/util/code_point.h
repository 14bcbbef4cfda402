// Well-formed UTF-8 as code points.
#pragma once

#include <cstddef>
#include <string_view>

namespace data_import::util {

/// Returns the code point at `offset`, which is before the end of well-formed UTF-8, and moves `offset` after
/// it.
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& offset);

}  // namespace data_import::util
