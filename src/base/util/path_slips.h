// Finds slips (small mistakes) in the path of a request: wrong slashes, capitals, an empty value, /v1 twice.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// Returns the part of `path` before its first slash, and removes that part and the slash from `path`.
std::string_view take_segment(std::string_view& path);

/// Returns sentences for the client if `path` differs from one of the addresses only by wrong slashes,
/// capitals or an empty value. The sentences name the mistakes and the address, and never quote the path.
/// Returns a sentence, too, if the path begins with /v1 twice. Empty for every other path. In an address, a
/// segment in braces stands for any value.
[[nodiscard]] std::string slip_in_path(const std::vector<std::string>& addresses, std::string_view path);

}  // namespace data_import::util
