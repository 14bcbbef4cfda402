// Addresses of endpoints that both the service and its client know. imports.h has the addresses of imports.
#pragma once

#include <string>
#include <string_view>

#include "base/util/text.h"

namespace data_import::payload::paths {

inline constexpr std::string_view bulk = "/v1/data-import/bulk/";
inline constexpr std::string_view graphql = "/v1/graphql/";
inline constexpr std::string_view token = "/v1/data-import/token/";
inline constexpr std::string_view control_totals = "/v1/data-import/control-totals/{import_supplier}/";
inline constexpr std::string_view account_control_totals =
    "/v1/data-import/account-control-totals/{import_supplier}/";
inline constexpr std::string_view events = "/v1/data-import/events/{import_supplier}/";

/// Returns `path`, which is one of the addresses above, with the supplier in it.
[[nodiscard]] inline std::string of_supplier(std::string_view path, std::string_view import_supplier) {
    return std::string(path.substr(0, path.find('{'))) + util::percent_encode(import_supplier) + '/';
}

}  // namespace data_import::payload::paths
