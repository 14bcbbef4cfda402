// Numbers and names as people read them.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace data_import::util {

/// Writes a decimal with a comma between its thousands: `-12,345.5`.
[[nodiscard]] std::string grouped(std::string_view decimal);

[[nodiscard]] std::string grouped(std::integral auto number) {
    return grouped(std::string_view(std::to_string(number)));
}

/// Writes `1 account`, `20,000 accounts`. The noun has to form its plural with s.
[[nodiscard]] std::string counted(std::integral auto number, std::string_view noun) {
    return grouped(number).append(" ").append(noun).append(number == 1 ? "" : "s");
}

/// Writes an amount of money in its main unit, with at least two digits after the point: `-12,345.50`.
[[nodiscard]] std::string grouped_money(std::string_view decimal);

/// Writes `128 KiB`, `10 MiB`.
[[nodiscard]] std::string size_text(std::size_t bytes);

/// Writes a name of the interface in words: `in_progress` as `in progress`.
[[nodiscard]] std::string in_words(std::string_view name);

/// Puts the words of a text into lines of at most `width` characters, with `line_break` between them. A word
/// that is longer than a line is broken only if `break_words` says so.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::string_view line_break,
                                  bool break_words = false);

}  // namespace data_import::util
