// Colour for people at a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal is dumb.
#pragma once

#include <string>

namespace data_import::console {

enum class Colour { heading, good, warning, bad };

/// Returns the text in colour for standard output; coloured_error() does so for standard error. Without a
/// terminal, the text stays as it is.
[[nodiscard]] std::string coloured(std::string text, Colour colour);
[[nodiscard]] std::string coloured_error(std::string text, Colour colour);

}  // namespace data_import::console
