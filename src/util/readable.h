// Numbers and names as people read them.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace data_import::util {

/// A decimal with its thousands apart: `-12,345.5`.
[[nodiscard]] std::string grouped(std::string_view decimal);

[[nodiscard]] std::string grouped(std::integral auto number) {
    return grouped(std::string_view(std::to_string(number)));
}

/// A name of the interface in words: `in_progress` to `in progress`.
[[nodiscard]] std::string in_words(std::string_view name);

}  // namespace data_import::util
