// Texts in other forms than UTF-8, told by their first bytes.
#pragma once

#include <optional>
#include <string_view>

namespace data_import::util {

/// The name of the form where these bytes are packed data (`gzip`, `Zstandard`, `bzip2`, `xz`, `zlib`, `a ZIP
/// archive`). Nothing for all others.
[[nodiscard]] std::optional<std::string_view> packed_form(std::string_view bytes);

/// `UTF-16` or `UTF-32`, with a byte order mark, or without one where the text begins with a character of
/// ASCII. Nothing for all others.
[[nodiscard]] std::optional<std::string_view> wide_encoding(std::string_view bytes);

}  // namespace data_import::util
