// Paths that are nearly an address.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Takes the part before the next slash, and the slash.
std::string_view take_segment(std::string_view& path);

/// Returns the sentence about a path that would be one of the addresses without a slip: another number of
/// slashes, capitals, an empty value, /v1 twice. It names that address, and not the path. Empty for every
/// other path. Segments of addresses in braces stand for any value.
[[nodiscard]] std::string slip_in_path(const std::vector<std::string>& addresses, std::string_view path);

}  // namespace data_import::util
