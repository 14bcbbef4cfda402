// Colour for people at a terminal: nowhere else, and not where NO_COLOR is set (https://no-color.org) or the
// terminal is dumb.
#pragma once

#include <string>

namespace data_import::console {

enum class Colour { heading, good, warning, bad };

/// The text as standard output, or standard error, is to show it.
[[nodiscard]] std::string coloured(std::string text, Colour colour);
[[nodiscard]] std::string coloured_error(std::string text, Colour colour);

}  // namespace data_import::console
