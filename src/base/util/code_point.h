// Well-formed UTF-8 as code points.
#pragma once

#include <cstddef>
#include <string_view>

namespace data_import::util {

/// The code point at `offset` of well-formed UTF-8; moves `offset` after it. `offset` is before the end.
[[nodiscard]] char32_t next_code_point(std::string_view text, std::size_t& offset);

}  // namespace data_import::util
