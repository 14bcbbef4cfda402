// Texts in other forms than UTF-8, known by their first bytes.
#pragma once

#include <optional>
#include <string_view>

namespace data_import::util {

/// Returns the name of the form if these bytes are packed data (`gzip`, `Zstandard`, `bzip2`, `xz`, `zlib`,
/// `a ZIP archive`). Nothing for all others.
[[nodiscard]] std::optional<std::string_view> packed_form(std::string_view bytes);

/// Returns `UTF-16` or `UTF-32` for a text with a byte order mark, or without one if it begins with a
/// character of ASCII. Nothing for all others.
[[nodiscard]] std::optional<std::string_view> wide_encoding(std::string_view bytes);

}  // namespace data_import::util
