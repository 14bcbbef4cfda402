// The name that was probably meant by a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// The one of `known` that is least different from `word`: letters left out, added, changed or swapped with
/// their neighbour, capitals apart. Nothing if more than a third of the longer one would have to change.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      const std::vector<std::string>& known);

/// The one of `known` that has another segment than `path` in one place, of which it is the nearest word. A
/// segment of `known` in braces stands for any value.
[[nodiscard]] std::optional<std::string> nearest_path(std::string_view path,
                                                      const std::vector<std::string>& known);

}  // namespace data_import::util
