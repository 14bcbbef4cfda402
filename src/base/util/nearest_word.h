// Finds the name that was probably meant by a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Returns the word of `known` into which the fewest edits turn `word`. An edit leaves a letter out, adds
/// one, changes one, or swaps two neighbours. Capital and small letters count as equal. Returns nothing if
/// the number of edits is above a third of the length of the longer word.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      const std::vector<std::string>& known);

/// Returns the path of `known` that differs from `path` in one segment, if `path` has a typing mistake there
/// (nearest_word). A segment of `known` in braces stands for any value, and is returned with its braces.
[[nodiscard]] std::optional<std::string> nearest_path(std::string_view path,
                                                      const std::vector<std::string>& known);

}  // namespace data_import::util
