// The query of an address as text: `name=value&name=value` in the encoding of forms (contract, section 2.2).
// This is the only decoder of queries; percent_decode() decodes segments of paths.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace data_import::util {

/// A parameter of a query, decoded.
struct NamedValue {
    std::string name;
    std::string value;  ///< the decoded value; empty if there is no equals sign
};

/// Decodes the parameters of a query without its question mark, in their order: `+` is a space, `%2B` a plus.
/// Empty parts between `&` are skipped. Nothing if the encoding of any name or value is broken, or stands for
/// U+0000 or for bytes that are no UTF-8. Parameters after the first `most` are not read.
[[nodiscard]] std::optional<std::vector<NamedValue>> decode_query(std::string_view query,
                                                                  std::size_t most = SIZE_MAX);

/// Returns the query of a path; empty if it has none.
[[nodiscard]] std::string_view query_of(std::string_view path);

}  // namespace data_import::util
