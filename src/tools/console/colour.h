// Colour for people at a terminal, unless NO_COLOR is set (https://no-color.org) or the terminal is dumb.
#pragma once

#include <string>

namespace data_import::console {

enum class Colour { heading, good, warning, bad };

/// Returns the text for standard output, or standard error.
[[nodiscard]] std::string coloured(std::string text, Colour colour);
[[nodiscard]] std::string coloured_error(std::string text, Colour colour);

}  // namespace data_import::console
