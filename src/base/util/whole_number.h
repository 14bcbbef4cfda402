// Integers as text.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>
#include <system_error>

namespace data_import::util {

/// Reads a text that consists of one integer: ASCII digits, with a minus sign before them if the type is
/// signed. Returns nothing for any other text, and for a number that the type cannot hold.
template <std::integral Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace data_import::util
