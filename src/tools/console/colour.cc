#include "tools/console/colour.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string_view>

namespace data_import::console {

namespace {

std::string_view value_of(const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? "" : value;
}

bool shows_colours(int descriptor) {
    return isatty(descriptor) == 1 && value_of("NO_COLOR").empty() && value_of("TERM") != "dumb";
}

/// Encloses the text in the control sequences for its colour: Select Graphic Rendition (ECMA-48, 8.3.117).
std::string painted(std::string text, Colour colour) {
    constexpr std::array<std::string_view, 4> codes{"1", "32", "33", "1;31"};
    return "\x1b[" + std::string(codes[static_cast<std::size_t>(colour)]) + "m" + std::move(text) + "\x1b[0m";
}

}  // namespace

std::string coloured(std::string text, Colour colour) {
    static const bool shows = shows_colours(STDOUT_FILENO);
    return shows ? painted(std::move(text), colour) : text;
}

std::string coloured_error(std::string text, Colour colour) {
    return shows_colours(STDERR_FILENO) ? painted(std::move(text), colour) : text;
}

}  // namespace data_import::console
